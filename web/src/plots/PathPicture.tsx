// What stands still of a picture of packets on their way: sender, queue, link, receiver, and the way back.
import { QUEUE_HALF, type Geometry } from '../packets/scene';
import styles from './packets.module.css';

interface PathPictureProps {
  readonly geometry: Geometry;
  /** Packets that the queue may hold; null: no limit, or it counts something else. */
  readonly limit: string | null;
}

const px = (value: number): string => value.toFixed(1);

export function PathPicture({ geometry, limit }: PathPictureProps) {
  const { width, sender, queueFrom, queueTo, receiver, dataY, ackY } = geometry;
  const [top, bottom] = [dataY - QUEUE_HALF, dataY + QUEUE_HALF];
  const ends = ackY + QUEUE_HALF;
  return (
    <g>
      <g className={styles['end']}>
        <rect x={0.5} y={px(top - 10)} width={px(sender - 8)} height={px(ends - top + 10)} rx={6} />
        <rect
          x={px(receiver + 8)}
          y={px(top - 10)}
          width={px(width - receiver - 8.5)}
          height={px(ends - top + 10)}
          rx={6}
        />
        <EndName name="Sender" x={(sender - 8) / 2} y={(top + ends) / 2} upright={geometry.narrow} />
        <EndName name="Receiver" x={(receiver + 8 + width) / 2} y={(top + ends) / 2} upright={geometry.narrow} />
      </g>
      <path
        className={styles['way']}
        d={`M${px(sender)},${px(dataY)}H${px(queueFrom)}M${px(queueTo)},${px(dataY)}H${px(receiver)}`}
      />
      <path className={styles['way']} d={`M${px(receiver)},${px(ackY)}H${px(sender)}`} strokeDasharray="2 4" />
      <path
        className={styles['queue']}
        d={`M${px(queueFrom)},${px(top)}H${px(queueTo)}V${px(bottom)}H${px(queueFrom)}`}
      />
      <g className={styles['label']}>
        <text x={px(queueTo)} y={px(top - 8)} textAnchor="end">
          {limit === null ? 'queue' : `queue of ${limit}`}
        </text>
        <text x={px(receiver)} y={px(top - 8)} textAnchor="end">
          link
        </text>
        <text x={px(receiver)} y={px(ackY - 18)} textAnchor="end">
          acknowledgements
        </text>
      </g>
    </g>
  );
}

interface EndNameProps {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Where it has no room across. */
  readonly upright: boolean;
}

const EndName = ({ name, x, y, upright }: EndNameProps) => (
  <text transform={`translate(${px(x)},${px(y)})${upright ? ' rotate(-90)' : ''}`} textAnchor="middle" dy="0.32em">
    {name}
  </text>
);
