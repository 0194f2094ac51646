import type { ConnectView } from '../../core/contracts/console.ts';

export type ConnectClient = 'claude_code' | 'claude_desktop' | 'vscode' | 'cursor' | 'generic';
export type ConnectTransport = 'http' | 'stdio';
export type ToolNames = 'dotted' | 'underscore';

export interface Snippet {
  /** Where to put it, or that it is a command. */
  readonly where: string;
  readonly language: 'json' | 'shell';
  readonly code: string;
}

export const connectClients: readonly { readonly id: ConnectClient; readonly label: string }[] = [
  { id: 'claude_code', label: 'Claude Code' },
  { id: 'claude_desktop', label: 'Claude Desktop' },
  { id: 'vscode', label: 'VS Code' },
  { id: 'cursor', label: 'Cursor' },
  { id: 'generic', label: 'Other (mcpServers)' },
];

/** Clients that only start programs. */
export const stdioOnly = (client: ConnectClient): boolean => client === 'claude_desktop';

const httpUrl = (view: ConnectView, names: ToolNames): string => {
  if (names === 'dotted') return view.mcp_url;
  return `${view.mcp_url}${view.mcp_url.includes('?') ? '&' : '?'}names=underscore`;
};

const stdioArgs = (view: ConnectView, names: ToolNames): readonly string[] =>
  names === 'dotted' ? view.stdio.args : [...view.stdio.args, '--tool-names', 'underscore'];

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const serverEntry = (view: ConnectView, transport: ConnectTransport, names: ToolNames, withType: boolean) =>
  transport === 'http'
    ? {
        ...(withType ? { type: 'http' } : {}),
        url: httpUrl(view, names),
        headers: { Authorization: `Bearer ${view.agent_token}` },
      }
    : { ...(withType ? { type: 'stdio' } : {}), command: view.stdio.command, args: stdioArgs(view, names) };

const claudeCode = (view: ConnectView, transport: ConnectTransport, names: ToolNames): string =>
  transport === 'http'
    ? `claude mcp add --transport http signalbox ${quote(httpUrl(view, names))} --header ${quote(`Authorization: Bearer ${view.agent_token}`)}`
    : `claude mcp add signalbox -- ${[view.stdio.command, ...stdioArgs(view, names)].map(quote).join(' ')}`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** What to paste, per client. */
export const connectSnippet = (
  view: ConnectView,
  client: ConnectClient,
  transport: ConnectTransport,
  names: ToolNames,
): Snippet => {
  switch (client) {
    case 'claude_code':
      return { where: 'Run in your project', language: 'shell', code: claudeCode(view, transport, names) };
    case 'claude_desktop':
      return {
        where: 'claude_desktop_config.json',
        language: 'json',
        code: json({ mcpServers: { signalbox: serverEntry(view, 'stdio', names, false) } }),
      };
    case 'vscode':
      return {
        where: '.vscode/mcp.json',
        language: 'json',
        code: json({ servers: { signalbox: serverEntry(view, transport, names, true) } }),
      };
    case 'cursor':
      return {
        where: '.cursor/mcp.json',
        language: 'json',
        code: json({ mcpServers: { signalbox: serverEntry(view, transport, names, false) } }),
      };
    case 'generic':
      return {
        where: 'The mcpServers section of your client',
        language: 'json',
        code: json({ mcpServers: { signalbox: serverEntry(view, transport, names, true) } }),
      };
  }
};
