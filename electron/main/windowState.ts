import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Rectangle } from 'electron';
import type { ElectronApi, HostWindow } from './electronApi.ts';

/** Where the window was and how large, in device-independent pixels. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'window.json');
const smallest = { width: 720, height: 480 };

const isRectangle = (value: unknown): value is Rectangle =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((key) => key in value && Number.isInteger(value[key as keyof typeof value]));

const parse = (text: string): WindowState | null => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('bounds' in value) || !('maximized' in value)) return null;
  const { bounds, maximized } = value;
  return isRectangle(bounds) && typeof maximized === 'boolean' ? { bounds, maximized } : null;
};

/** Null when there is none or it cannot be read: the window then opens at its default place. */
const load = (dataFolder: string): WindowState | null => {
  try {
    return parse(readFileSync(fileIn(dataFolder), 'utf8'));
  } catch {
    return null;
  }
};

/** At least the title bar lies on a display that is there now. */
const isReachable = ({ x, y, width }: Rectangle, area: Rectangle): boolean =>
  x + width > area.x + 80 && x < area.x + area.width - 80 && y >= area.y - 8 && y < area.y + area.height - 40;

/** The state of last time, when it still fits a display. */
export const recallWindow = (dataFolder: string, screen: ElectronApi['screen']): WindowState | null => {
  const state = load(dataFolder);
  if (state === null || state.bounds.width < smallest.width || state.bounds.height < smallest.height) return null;
  return isReachable(state.bounds, screen.getDisplayMatching(state.bounds).workArea) ? state : null;
};

/** Written beside and renamed, so that a crash leaves the old one whole. */
export const rememberWindow = (dataFolder: string, window: HostWindow): void => {
  const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
  const file = fileIn(dataFolder);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.next`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.next`, file);
};

export const smallestWindow = smallest;
