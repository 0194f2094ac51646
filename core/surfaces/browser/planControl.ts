import { SignalboxError } from '../../contracts/errors.ts';
import type { ActInput } from '../../contracts/operatorClass.ts';
import type { ActPlan } from './actPlan.ts';
import type { Blocked } from './aim.ts';
import type { InputSender } from './inputSender.ts';
import { historyEntry, pageControlTarget } from './pageControls.ts';
import type { PageControl } from './pageControls.ts';
import type { PageHost } from './pageHost.ts';

/** Back, Forward, Reload: the browser's own controls. */
export const planControl = async (
  host: PageHost,
  control: PageControl,
  input: ActInput,
): Promise<ActPlan | Blocked> => {
  if (input.action !== 'press') throw new SignalboxError('INVALID_REQUEST', `${control} can only be pressed.`);
  const { name = control, role, ref } = pageControlTarget(control);
  const plan = {
    kind: 'plan',
    reading: { ref, role, name },
    target: null,
    withValue: false,
    toDialog: false,
  } as const;
  if (control === 'reload') {
    return {
      ...plan,
      run: (sender) => moveInHistory(host, () => sender.primitive('reload', () => host.session.send('Page.reload'))),
    };
  }
  const entryId = await historyEntry(host, control);
  if (entryId === null)
    return { kind: 'blocked', blockedBy: `button "${name}" (${ref}) itself: there is no page to go ${control} to` };
  const go = (sender: InputSender) => (): Promise<unknown> =>
    sender.primitive(control, () => host.session.send('Page.navigateToHistoryEntry', { entryId }));
  return { ...plan, run: (sender) => moveInHistory(host, go(sender)) };
};

/** The command is answered before the navigation begins: waits until it has. */
const moveInHistory = async (host: PageHost, go: () => Promise<unknown>): Promise<null> => {
  const moved = host.nextNavigation();
  await go();
  await moved;
  return null;
};
