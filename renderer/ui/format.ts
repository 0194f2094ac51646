import type { PrincipalRef } from '../../core/contracts/principal.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12 s ago`, `3 min ago`, `in 5 min`. Both in epoch milliseconds. */
export const relativeTime = (at: number, now: number): string => {
  const distance = Math.abs(now - at);
  if (distance < 5 * SECOND) return 'now';
  const amount = roughly(distance);
  return at <= now ? `${amount} ago` : `in ${amount}`;
};

const roughly = (ms: number): string => {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
};

/** `14:59`, `1:02:03`; never negative. */
export const countdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
};

/** `8 ms`, `1.2 s`, `3 min 20 s`. */
export const duration = (ms: number): string => {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / SECOND)} s`;
};

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
export const exactTime = (iso: string): string => exact.format(new Date(iso));

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
export const clockTime = (iso: string): string => clock.format(new Date(iso));

const thousands = new Intl.NumberFormat('en-US');
export const count = (n: number): string => thousands.format(n);

export const plural = (n: number, one: string, many: string): string => `${count(n)} ${n === 1 ? one : many}`;

export const principalText = (ref: PrincipalRef): string => `${ref.type}:${ref.id}`;

/** Host and path of an address, without the scheme; anything unparsable as it is. */
export const shortAddress = (address: string): string => {
  const url = URL.parse(address);
  if (url === null || url.host === '') return address;
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}`;
};

/** `2026-01-31T12:00` in local time, as `<input type="datetime-local">` wants it. */
export const toLocalInput = (at: number): string => {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
};
