/** Everything that crosses between the main process and the console's page, in one place. */
export const ipcChannels = { token: 'signalbox:token' } as const;

/** What the page sees as `window.signalbox`. */
export interface HostBridge {
  /** The bearer token of the person at this console. Rejects for any frame but the console's own. */
  readonly token: () => Promise<string>;
  readonly platform: string;
}
