import { create } from 'zustand';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly theme: Theme;
  /** Single-key shortcuts (WCAG 2.1.4: can be switched off). */
  readonly shortcuts: boolean;
  readonly notifications: boolean;
}

const STORAGE_KEY = 'signalbox.preferences';
const defaults: Preferences = { theme: 'system', shortcuts: true, notifications: false };

const isTheme = (value: unknown): value is Theme => value === 'system' || value === 'light' || value === 'dark';

export const parsePreferences = (stored: string | null): Preferences => {
  let value: unknown = null;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return defaults;
  }
  if (typeof value !== 'object' || value === null) return defaults;
  const { theme, shortcuts, notifications } = value as Record<string, unknown>;
  return {
    theme: isTheme(theme) ? theme : defaults.theme,
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : defaults.shortcuts,
    notifications: typeof notifications === 'boolean' ? notifications : defaults.notifications,
  };
};

export const usePreferences = create<Preferences>(() => defaults);

const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};

/** Reads what is stored and keeps page and storage in step from then on. */
export const startPreferences = (): void => {
  usePreferences.setState(parsePreferences(localStorage.getItem(STORAGE_KEY)));
  applyTheme(usePreferences.getState().theme);
  usePreferences.subscribe((preferences) => {
    applyTheme(preferences.theme);
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  });
};
