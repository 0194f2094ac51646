import type { TargetReading } from '../../core/contracts/console.ts';
import { verbPhrase } from './verbPhrase.ts';
import { Visible } from './Visible.tsx';

/** A call in one line of words. */
export const Phrase = ({
  verb,
  args,
  target,
}: {
  readonly verb: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly target: TargetReading | null;
}) => {
  const phrase = verbPhrase(verb, args, target);
  return (
    <>
      {phrase.does}
      {phrase.kind !== null && (
        <>
          {' '}
          <Visible value={phrase.kind} />
        </>
      )}
      {phrase.object !== null && (
        <>
          {' '}
          <b className="font-semibold text-text">
            <Visible value={phrase.object.slice(0, 200)} />
            {phrase.object.length > 200 && '…'}
          </b>
        </>
      )}
    </>
  );
};
