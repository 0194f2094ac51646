import type { HumanInput } from '../../../core/contracts/console.ts';
import type { Size } from '../../ui/outline.ts';

/** CDP modifier bits, as `humanInput` wants them. */
export const modifierBits = (event: {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}): number => (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A point on the picture, in CSS pixels of the surface, kept inside it. */
export const toSurface = (
  point: { readonly clientX: number; readonly clientY: number },
  box: Box,
  surface: Size,
): { readonly x: number; readonly y: number } => {
  const clamp = (value: number, max: number): number => Math.max(0, Math.min(max - 1, value));
  return {
    x: Math.round(clamp(((point.clientX - box.left) / box.width) * surface.width, surface.width)),
    y: Math.round(clamp(((point.clientY - box.top) / box.height) * surface.height, surface.height)),
  };
};

const buttons = ['left', 'middle', 'right'] as const;
export const buttonName = (button: number): 'left' | 'middle' | 'right' => buttons[button] ?? 'left';

/** The button held while moving, from the `buttons` bit field (1 left, 2 right, 4 middle). */
export const heldButton = (bits: number): 'left' | 'middle' | 'right' | 'none' =>
  bits & 1 ? 'left' : bits & 2 ? 'right' : bits & 4 ? 'middle' : 'none';

export const keyInput = (
  action: 'down' | 'up',
  event: {
    readonly key: string;
    readonly code: string;
    readonly altKey: boolean;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly shiftKey: boolean;
  },
): HumanInput => ({ type: 'key', action, key: event.key, code: event.code, modifiers: modifierBits(event) });

/** Two presses of Escape within this time hand back. The first one still goes to the surface. */
const ESCAPE_TWICE_MS = 600;

export const isSecondEscape = (key: string, now: number, lastEscape: number | null): boolean =>
  key === 'Escape' && lastEscape !== null && now - lastEscape <= ESCAPE_TWICE_MS;
