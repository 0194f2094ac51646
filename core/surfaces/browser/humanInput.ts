import type { HumanInput } from '../../contracts/console.ts';
import { findKey } from './keys.ts';
import type { PageHost } from './pageHost.ts';

const buttonBits = { left: 1, right: 2, middle: 4, none: 0 } as const;
/** Control, Alt or Meta held: the key types nothing. */
const COMMANDS = 1 | 2 | 4;

/** Sends what a person in control does on the live view. A dialog, which it does not show, takes Enter and Escape. */
export class HumanHand {
  #held = 0;

  async send(host: PageHost, input: HumanInput): Promise<void> {
    if (host.dialogs.open !== null) {
      if (input.type !== 'key' || input.action !== 'down') return;
      if (input.key === 'Enter') await host.dialogs.answer(true);
      if (input.key === 'Escape') await host.dialogs.answer(false);
      return;
    }
    switch (input.type) {
      case 'mouse':
        await this.#mouse(host, input);
        return;
      case 'wheel':
        await host.session.send('Input.dispatchMouseEvent', {
          type: 'mouseWheel',
          x: input.x,
          y: input.y,
          deltaX: input.delta_x,
          deltaY: input.delta_y,
        });
        return;
      case 'key':
        await sendKey(host, input);
        return;
      case 'text':
        await host.session.send('Input.insertText', { text: input.text });
    }
  }

  async #mouse(host: PageHost, input: Extract<HumanInput, { type: 'mouse' }>): Promise<void> {
    const { action, button, x, y, clicks, modifiers } = input;
    if (action === 'down') this.#held |= buttonBits[button];
    if (action === 'up') this.#held &= ~buttonBits[button];
    await host.session.send('Input.dispatchMouseEvent', {
      type: action === 'move' ? 'mouseMoved' : action === 'down' ? 'mousePressed' : 'mouseReleased',
      x,
      y,
      button: action === 'move' && this.#held === 0 ? 'none' : button,
      buttons: this.#held,
      modifiers,
      ...(action !== 'move' && { clickCount: clicks }),
    });
  }
}

const sendKey = async (host: PageHost, input: Extract<HumanInput, { type: 'key' }>): Promise<void> => {
  const { action, key, code, modifiers } = input;
  const known = findKey(key);
  const typed = [...key].length === 1 ? key : known?.text;
  const text = (modifiers & COMMANDS) === 0 ? typed : undefined;
  await host.session.send('Input.dispatchKeyEvent', {
    type: action === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    modifiers,
    windowsVirtualKeyCode: known?.keyCode ?? 0,
    ...(action === 'down' && text !== undefined && { text, unmodifiedText: text }),
  });
};
