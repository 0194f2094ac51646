import type { TargetObject } from '../../contracts/operatorClass.ts';
import { createListeners } from '../common/listeners.ts';
import type { CdpEvents, CdpSession } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';

export type DialogPart = 'box' | 'ok' | 'cancel' | 'text';

/** A JavaScript dialog. While it is open the page's thread stands still and must not be called. */
export interface OpenDialog {
  readonly ref: string;
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  /** What will be given to a prompt. */
  text: string;
}

const titles = { alert: 'Message', confirm: 'Question', prompt: 'Question', beforeunload: 'Leave this page?' } as const;

const labels = (dialog: OpenDialog): { ok: string; cancel: string } =>
  dialog.type === 'beforeunload' ? { ok: 'Leave', cancel: 'Stay' } : { ok: 'OK', cancel: 'Cancel' };

export const dialogName = (dialog: OpenDialog): string => dialog.message.trim() || titles[dialog.type];

export const dialogWords = (dialog: OpenDialog): string => `alertdialog "${dialogName(dialog)}" (${dialog.ref})`;

/** The dialog and its controls, as targets. */
export const dialogTargets = (dialog: OpenDialog): TargetObject[] => {
  const { ok, cancel } = labels(dialog);
  return [
    { ref: dialog.ref, role: 'alertdialog', name: dialogName(dialog), note: dialog.type },
    ...(dialog.type === 'prompt'
      ? [{ ref: `${dialog.ref}-text`, role: 'textbox', name: dialogName(dialog), value: dialog.text }]
      : []),
    { ref: `${dialog.ref}-ok`, role: 'button', name: ok },
    ...(dialog.type === 'alert' ? [] : [{ ref: `${dialog.ref}-cancel`, role: 'button', name: cancel }]),
  ];
};

export class Dialogs {
  /** A dialog opened or closed. */
  readonly onChange = createListeners<OpenDialog | null>();
  #open: { readonly dialog: OpenDialog; readonly session: CdpSession } | null = null;
  #n = 0;

  track(session: CdpSession): void {
    session.on('Page.javascriptDialogOpening', (event) => this.#opened(event, session));
    session.on('Page.javascriptDialogClosed', () => this.#close(session));
    session.onClosed(() => this.#close(session));
  }

  get open(): OpenDialog | null {
    return this.#open?.dialog ?? null;
  }

  /** Which part of the open dialog a ref names; null when it names none. */
  part(ref: string): DialogPart | null {
    const open = this.open;
    if (open === null || !ref.startsWith(open.ref)) return null;
    switch (ref.slice(open.ref.length)) {
      case '':
        return 'box';
      case '-ok':
        return 'ok';
      case '-cancel':
        return open.type === 'alert' ? null : 'cancel';
      case '-text':
        return open.type === 'prompt' ? 'text' : null;
      default:
        return null;
    }
  }

  /** Resolves once the browser has taken the answer; what the page does then is measured by others. */
  async answer(accept: boolean): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    await ignoreGone(
      open.session.send('Page.handleJavaScriptDialog', {
        accept,
        ...(open.dialog.type === 'prompt' && accept && { promptText: open.dialog.text }),
      }),
    );
    // The page may have opened the next one meanwhile.
    if (this.#open === open) this.#close(open.session);
  }

  #opened(event: CdpEvents['Page.javascriptDialogOpening'], session: CdpSession): void {
    this.#n += 1;
    const { type, message, defaultPrompt } = event;
    const dialog: OpenDialog = { ref: `dialog-${this.#n}`, type, message, text: defaultPrompt ?? '' };
    this.#open = { dialog, session };
    this.onChange.tell(dialog);
  }

  #close(session: CdpSession): void {
    if (this.#open?.session !== session) return;
    this.#open = null;
    this.onChange.tell(null);
  }
}
