import { useState } from 'react';
import type { TokenView } from '../../../core/contracts/console.ts';
import { useRevokeToken } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { principalText } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { Signal, Tag } from '../../ui/Signal.tsx';
import { text } from '../../ui/strings.ts';
import { Time } from '../../ui/Time.tsx';
import { useNow } from '../../ui/useNow.ts';
import { Visible } from '../../ui/Visible.tsx';
import { agentsText as t } from './strings.ts';

const cell = 'h-9 border-t border-line pr-3 align-middle';

const Ends = ({ token }: { readonly token: TokenView }) => {
  const now = useNow();
  if (token.revoked_at !== null) return <Signal tone="danger">{t.revoked}</Signal>;
  if (token.expires_at === null) return <span className="text-text-3">{t.never}</span>;
  if (Date.parse(token.expires_at) <= now) return <Signal tone="caution">{t.expired}</Signal>;
  return <Time at={token.expires_at} />;
};

const Row = ({ token }: { readonly token: TokenView }) => {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeToken();
  const ended = token.revoked_at !== null;
  return (
    <>
      <tr className={cx(ended && 'text-text-3')} data-token={token.token_id}>
        <td className={cx(cell, 'max-w-[260px]')}>
          <span className="flex items-center gap-2">
            <Principal of={token.principal} />
            {token.label !== null && (
              <span className="truncate text-xs text-text-3">
                <Visible value={token.label} />
              </span>
            )}
          </span>
        </td>
        <td className={cell}>
          {token.roles.length === 0 ? (
            <span className="text-text-3">{t.noRoles}</span>
          ) : (
            <span className="flex gap-1">
              {token.roles.map((role) => (
                <Tag key={role}>{role}</Tag>
              ))}
            </span>
          )}
        </td>
        <td className={cx(cell, 'max-w-[160px] truncate')}>
          {token.surfaces === null ? t.allSurfaces : token.surfaces.join(', ')}
        </td>
        <td className={cell}>
          <Time at={token.created_at} />
        </td>
        <td className={cell}>{token.last_used_at === null ? t.never : <Time at={token.last_used_at} />}</td>
        <td className={cell}>
          <Ends token={token} />
        </td>
        <td className={cx(cell, 'pr-0 text-right')}>
          {!ended && !asking && (
            <Button size="small" look="quiet" onPress={() => setAsking(true)}>
              {t.revoke}
            </Button>
          )}
        </td>
      </tr>
      {asking && !ended && (
        <tr>
          <td colSpan={7} className="pb-2">
            <div className="flex items-center justify-end gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm">
              {t.revokeSure(principalText(token.principal))}
              <Button size="small" autoFocus onPress={() => setAsking(false)}>
                {text.cancel}
              </Button>
              <Button
                size="small"
                look="danger"
                isDisabled={revoke.isPending}
                onPress={() => revoke.mutate(token.token_id, { onSuccess: () => setAsking(false) })}
              >
                {t.revokeYes}
              </Button>
            </div>
            {revoke.isError && <ErrorNotice error={revoke.error} />}
          </td>
        </tr>
      )}
    </>
  );
};

/** Never the secrets: those are shown once, when minted. */
export const TokenTable = ({ tokens }: { readonly tokens: readonly TokenView[] }) => {
  if (tokens.length === 0) return <p className="text-sm text-text-2">{t.emptyTitle}</p>;
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-2xs text-text-3">
          {Object.values(t.columns).map((column) => (
            <th key={column} scope="col" className="h-7 pr-3 font-semibold">
              {column}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <Row key={token.token_id} token={token} />
        ))}
      </tbody>
    </table>
  );
};
