// Below a text: what is wrong with it, and where, or that it runs.
import type { OwnDeclaration, OwnProblem } from '#protocol/own-algorithm';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { plural } from '../../ui/format';
import { problemText } from '../../write/place';
import css from './write.module.css';

interface TextStateProps {
  /** It was read as it stands. */
  readonly isRead: boolean;
  readonly problem: OwnProblem | null;
  readonly declaration: OwnDeclaration | null;
  readonly onShow: (line: number, column: number) => void;
}

export function TextState({ isRead, problem, declaration, onShow }: TextStateProps) {
  if (problem !== null) {
    const { at } = problem;
    return (
      <div className={cx(css['state'], css['wrong'])} role="status" aria-label="State of the text">
        <Icon name="warning" />
        <span>{problemText(problem)}</span>
        {at === null ? null : (
          <Button size="small" kind="quiet" onPress={() => onShow(at.line, at.column)}>
            Show
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className={css['state']} role="status" aria-label="State of the text">
      {declaration === null || !isRead ? (
        <span>Reading …</span>
      ) : (
        <>
          <Icon name="check" />
          <span>
            {declaration.name} runs: {plural(declaration.params.length, 'parameter')},{' '}
            {plural(declaration.internals.length, 'internal')}.
          </span>
        </>
      )}
    </div>
  );
}
