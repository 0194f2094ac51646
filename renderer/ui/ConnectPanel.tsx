import { useState } from 'react';
import { useConnect } from '../bridge/queries.ts';
import { connectClients, connectSnippet, stdioOnly } from './connectSnippets.ts';
import type { ConnectClient, ConnectTransport, ToolNames } from './connectSnippets.ts';
import { CopyBlock } from './CopyButton.tsx';
import { SkeletonRows } from './Empty.tsx';
import { ErrorNotice } from './Notice.tsx';
import { Segmented } from './Segmented.tsx';
import { text } from './strings.ts';

const words = {
  client: 'Client',
  transport: 'Transport',
  names: 'Tool names',
  http: 'HTTP',
  stdio: 'stdio',
  dotted: 'Dotted',
  underscore: 'Underscore',
  httpHint: 'Signalbox must be running when the client connects.',
  stdioHint: 'The client starts a small bridge that joins this console.',
  underscoreHint: 'For clients that refuse dots in tool names: operator_act instead of operator.act.',
} as const;

/** MCP configuration to copy, for common clients. */
export const ConnectPanel = () => {
  const connect = useConnect();
  const [client, setClient] = useState<ConnectClient>('claude_code');
  const [transport, setTransport] = useState<ConnectTransport>('http');
  const [names, setNames] = useState<ToolNames>('dotted');
  if (connect.isPending) return <SkeletonRows rows={3} label={text.loading} />;
  if (connect.isError) return <ErrorNotice error={connect.error} onRetry={() => void connect.refetch()} />;
  const used = stdioOnly(client) ? 'stdio' : transport;
  const snippet = connectSnippet(connect.data, client, used, names);
  return (
    <div className="space-y-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label={words.client} options={connectClients} value={client} onChange={setClient} />
        {!stdioOnly(client) && (
          <Segmented
            label={words.transport}
            options={[
              { id: 'http', label: words.http },
              { id: 'stdio', label: words.stdio },
            ]}
            value={used}
            onChange={setTransport}
          />
        )}
        <Segmented
          label={words.names}
          options={[
            { id: 'dotted', label: words.dotted },
            { id: 'underscore', label: words.underscore },
          ]}
          value={names}
          onChange={setNames}
        />
      </div>
      <CopyBlock caption={snippet.where} code={snippet.code} />
      <p className="text-xs text-text-3">
        {used === 'http' ? words.httpHint : words.stdioHint} {names === 'underscore' && words.underscoreHint}
      </p>
    </div>
  );
};
