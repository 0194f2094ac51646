import { clockTime, countdown, exactTime, relativeTime } from './format.ts';
import { useNow } from './useNow.ts';

/** `3 min ago`, exact on hover. */
export const Time = ({ at, className }: { readonly at: string; readonly className?: string }) => {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
};

/** `14:03:22`, full date on hover. */
export const ClockTime = ({ at, className }: { readonly at: string; readonly className?: string }) => (
  <time dateTime={at} title={exactTime(at)} className={className}>
    {clockTime(at)}
  </time>
);

/** Counts down in digits; no blinking, no colour of its own. */
export const Countdown = ({ until }: { readonly until: string }) => {
  const now = useNow();
  return (
    <time dateTime={until} title={exactTime(until)} className="font-medium">
      {countdown(Date.parse(until) - now)}
    </time>
  );
};
