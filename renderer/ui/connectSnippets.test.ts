import { describe, expect, it } from 'vitest';
import type { ConnectView } from '../../core/contracts/console.ts';
import { connectSnippet } from './connectSnippets.ts';

const view: ConnectView = {
  mcp_url: 'http://127.0.0.1:8787/mcp',
  agent_token: 'agent-token',
  stdio: { command: 'npx', args: ['signalbox', 'mcp', '--data', '/a b'] },
};

describe('connectSnippet', () => {
  it('gives each client its own shape', () => {
    expect(JSON.parse(connectSnippet(view, 'vscode', 'http', 'dotted').code)).toEqual({
      servers: {
        signalbox: { type: 'http', url: view.mcp_url, headers: { Authorization: 'Bearer agent-token' } },
      },
    });
    expect(JSON.parse(connectSnippet(view, 'cursor', 'stdio', 'dotted').code)).toEqual({
      mcpServers: { signalbox: { command: 'npx', args: view.stdio.args } },
    });
  });

  it('quotes what a shell would split', () => {
    expect(connectSnippet(view, 'claude_code', 'stdio', 'dotted').code).toBe(
      "claude mcp add signalbox -- npx signalbox mcp --data '/a b'",
    );
    expect(connectSnippet(view, 'claude_code', 'http', 'dotted').code).toContain(
      "--header 'Authorization: Bearer agent-token'",
    );
  });

  it('asks for underscore names by URL or by argument', () => {
    expect(connectSnippet(view, 'generic', 'http', 'underscore').code).toContain('/mcp?names=underscore');
    expect(JSON.parse(connectSnippet(view, 'generic', 'stdio', 'underscore').code)).toMatchObject({
      mcpServers: { signalbox: { args: [...view.stdio.args, '--tool-names', 'underscore'] } },
    });
  });

  it('never puts Claude Desktop on HTTP, which its file does not know', () => {
    expect(connectSnippet(view, 'claude_desktop', 'http', 'dotted').code).toContain('"command": "npx"');
  });
});
