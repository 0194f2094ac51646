import { Link } from 'wouter';
import { receiptObject } from '../../../core/contracts/operatorClass.ts';
import type { CallView } from '../../../core/contracts/console.ts';
import { useCall, useSurface, useWork } from '../../bridge/queries.ts';
import { Arguments } from '../../ui/Arguments.tsx';
import { SkeletonRows } from '../../ui/Empty.tsx';
import { duration, exactTime } from '../../ui/format.ts';
import { LongText } from '../../ui/LongText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Tag } from '../../ui/Signal.tsx';
import { text } from '../../ui/strings.ts';
import { Visible } from '../../ui/Visible.tsx';
import { Outcome } from './Outcome.tsx';
import { Pictures } from './Pictures.tsx';
import { ReceiptFacts } from './ReceiptFacts.tsx';
import { timelineText as t } from './strings.ts';

const link = 'text-accent underline underline-offset-2';

const Links = ({ call }: { readonly call: CallView }) => {
  const approvalId = useWork(call.work_id).data?.approval_id ?? null;
  return (
    <p className="flex gap-4 text-sm empty:hidden">
      {call.receipt_id !== null && (
        <Link href={`/receipts/${call.receipt_id}`} className={link}>
          {t.openReceipt}
        </Link>
      )}
      {approvalId !== null && (
        <Link href={`/inbox/${approvalId}`} className={link}>
          {t.openApproval}
        </Link>
      )}
    </p>
  );
};

const Facts = ({ call }: { readonly call: CallView }) => {
  const surface = useSurface(call.surface_id);
  const rows = [
    { label: t.number, value: `#${call.n}` },
    { label: t.started, value: exactTime(call.at) },
    { label: t.took, value: call.duration_ms === null ? t.running : duration(call.duration_ms) },
    { label: t.client, value: call.client },
  ];
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-y-1 text-xs">
      {rows.map(
        (row) =>
          row.value !== null && (
            <div key={row.label} className="contents">
              <dt className="text-text-3">{row.label}</dt>
              <dd className="truncate text-text-2">
                <Visible value={row.value} />
              </dd>
            </div>
          ),
      )}
      {call.surface_id !== null && (
        <div className="contents">
          <dt className="text-text-3">{t.surface}</dt>
          <dd className="truncate">
            <Link href={`/surfaces/${call.surface_id}`} className={link}>
              <Visible value={surface?.label ?? call.surface_id} />
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
};

const Result = ({ call }: { readonly call: CallView }) => {
  if (call.result === null) return <p className="text-sm text-text-2">{t.noResult}</p>;
  const receipt = receiptObject.safeParse(call.result);
  if (receipt.success) return <ReceiptFacts receipt={receipt.data} />;
  const message = call.result['message'];
  return (
    <section>
      <SectionLabel>{t.result}</SectionLabel>
      {typeof message === 'string' && (
        <p className="mb-2 text-sm">
          <Visible value={message} />
        </p>
      )}
      <LongText value={JSON.stringify(call.result, null, 2)} />
    </section>
  );
};

const Detail = ({ call }: { readonly call: CallView }) => (
  <div className="space-y-4 p-4">
    <header className="space-y-1">
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-mono text-base font-medium">
          <Visible value={call.verb} />
        </h2>
        {call.read_only && <Tag>{t.readOnly}</Tag>}
        <Outcome call={call} />
      </div>
      <p className="text-sm break-words text-text-2">
        <Visible value={call.summary} />
      </p>
      <Principal of={call.principal} />
    </header>
    <Links call={call} />
    <Facts call={call} />
    <Pictures before={call.pictures.before} after={call.pictures.after} />
    <section>
      <SectionLabel>{t.arguments}</SectionLabel>
      <div className="rounded-md border border-line px-3">
        {Object.keys(call.arguments).length === 0 ? (
          <p className="py-1.5 text-xs text-text-3">{text.none}</p>
        ) : (
          <Arguments value={call.arguments} />
        )}
      </div>
    </section>
    <Result call={call} />
  </div>
);

/** One call: what was asked, what came of it, how long it took. */
export const CallDetail = ({ callId }: { readonly callId: string }) => {
  const call = useCall(callId);
  if (call.isPending) return <SkeletonRows label={text.loading} />;
  if (call.isError) {
    return (
      <div className="p-4">
        <Notice tone="neutral">{t.notThere}</Notice>
      </div>
    );
  }
  return <Detail key={call.data.call_id} call={call.data} />;
};
