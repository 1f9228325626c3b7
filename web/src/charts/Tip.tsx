// A small card beside the mark that is pointed at or focused.
import { useLayoutEffect, useRef, useState } from 'react';
import styles from './svg-figure.module.css';

export interface TipContent {
  /** Of the mark, in the coordinates of the positioned parent. */
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

const DISTANCE = 16;

export function Tip({ content, width }: { readonly content: TipContent | null; readonly width: number }) {
  const card = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (card.current !== null) setSize({ width: card.current.offsetWidth, height: card.current.offsetHeight });
  }, [content]);
  if (content === null) return null;
  const { x, y, title, facts } = content;
  const left = x + DISTANCE + size.width > width ? x - DISTANCE - size.width : x + DISTANCE;
  const top = Math.max(0, y - size.height / 2);
  return (
    <div ref={card} className={styles['tip']} style={{ left: Math.max(0, left), top }} aria-hidden="true">
      <strong>{title}</strong>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
