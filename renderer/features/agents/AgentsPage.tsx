import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin, useMe, useTokens } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ConnectPanel } from '../../ui/ConnectPanel.tsx';
import { SkeletonRows } from '../../ui/Empty.tsx';
import { ErrorNotice, Notice } from '../../ui/Notice.tsx';
import { ScreenHead } from '../../ui/Screen.tsx';
import { text } from '../../ui/strings.ts';
import { MintToken } from './MintToken.tsx';
import { agentsText as t } from './strings.ts';
import { TokenTable } from './TokenTable.tsx';

/** `/agents`: who may connect, and how. */
export const AgentsPage = () => {
  const me = useMe();
  const isAdmin = useIsAdmin();
  const tokens = useTokens(isAdmin);
  const [minting, setMinting] = useState(false);
  return (
    <>
      <ScreenHead title={t.title}>
        {isAdmin && (
          <Button onPress={() => setMinting(true)} aria-expanded={minting}>
            <Plus aria-hidden size={16} />
            {t.mint}
          </Button>
        )}
      </ScreenHead>
      <div className="min-h-0 flex-1 overflow-y-auto bg-panel">
        {minting && <MintToken onClose={() => setMinting(false)} />}
        <div className="mx-auto max-w-[1080px] space-y-8 p-6">
          <section aria-label={t.connect}>
            <h2 className="text-base font-semibold">{t.connect}</h2>
            <p className="mb-3 text-sm text-text-2">{t.connectHint}</p>
            <ConnectPanel />
          </section>
          <section aria-label={t.tokens}>
            <h2 className="text-base font-semibold">{t.tokens}</h2>
            <p className="mb-3 text-sm text-text-2">{t.tokensHint}</p>
            {me.isSuccess && !isAdmin && <Notice tone="neutral">{t.adminOnly}</Notice>}
            {isAdmin && tokens.isPending && <SkeletonRows label={text.loading} />}
            {tokens.isError && <ErrorNotice error={tokens.error} onRetry={() => void tokens.refetch()} />}
            {tokens.data !== undefined && <TokenTable tokens={tokens.data} />}
          </section>
        </div>
      </div>
    </>
  );
};
