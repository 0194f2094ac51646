import { SignalboxError } from '../../contracts/errors.ts';
import type { ActInput } from '../../contracts/operatorClass.ts';
import type { ActPlan } from './actPlan.ts';
import type { Blocked } from './aim.ts';
import { dialogTargets, dialogWords } from './dialogs.ts';
import type { DialogPart, OpenDialog } from './dialogs.ts';
import type { InputSender } from './inputSender.ts';
import type { PageHost } from './pageHost.ts';
import { parsePress } from './pressValue.ts';

const invalid = (message: string): SignalboxError => new SignalboxError('INVALID_REQUEST', message);

/** An act while a dialog is open: on the dialog, or held up by it. */
export const planDialog = (host: PageHost, dialog: OpenDialog, input: ActInput): ActPlan | Blocked => {
  const part = host.dialogs.part(input.target);
  if (part === null) return { kind: 'blocked', blockedBy: `${dialogWords(dialog)}: answer it first` };
  const found = dialogTargets(dialog).find(({ ref }) => ref === input.target);
  const reading = {
    ref: input.target,
    role: found?.role ?? 'button',
    ...(found?.name !== undefined && { name: found.name }),
  };
  return {
    kind: 'plan',
    reading,
    target: null,
    withValue: part === 'text',
    toDialog: true,
    run: dialogRun(host, dialog, part, input),
  };
};

const dialogRun = (
  host: PageHost,
  dialog: OpenDialog,
  part: DialogPart,
  input: ActInput,
): ((sender: InputSender) => Promise<string | null>) => {
  if (part === 'text') {
    if (input.action !== 'enter_text') throw invalid(`Give the answer with enter_text, then press ${dialog.ref}-ok.`);
    const text = input.value ?? '';
    return async (sender) => {
      await sender.primitive(`text of ${text.length} characters`, async () => void (dialog.text = text));
      host.effects.add({ kind: 'value_set', detail: `answer: "${text}"`, ref: input.target });
      return null;
    };
  }
  const chord = input.action === 'press' ? parsePress(input.value).chord : null;
  if (input.action !== 'press')
    throw invalid(`A dialog is answered by press on ${dialog.ref}-ok or ${dialog.ref}-cancel.`);
  const accept = part === 'ok' || (part === 'box' && chord?.key.key === 'Enter');
  if (part === 'box' && !accept && chord?.key.key !== 'Escape') {
    throw invalid(
      `Press one of the dialog's buttons: ${dialog.ref}-ok${dialog.type === 'alert' ? '' : ` or ${dialog.ref}-cancel`}.`,
    );
  }
  return async (sender) => {
    const what = accept ? 'dialog accepted' : 'dialog dismissed';
    await sender.primitive(what, () => host.dialogs.answer(accept));
    if (!accept && dialog.type === 'beforeunload') host.stay();
    host.effects.add({ kind: 'dialog', detail: what });
    return null;
  };
};
