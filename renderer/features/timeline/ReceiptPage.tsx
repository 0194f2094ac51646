import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ReceiptView } from '../../../core/contracts/console.ts';
import { useCall, useReceipt, useWork } from '../../bridge/queries.ts';
import { Arguments } from '../../ui/Arguments.tsx';
import { SkeletonRows } from '../../ui/Empty.tsx';
import { principalText } from '../../ui/format.ts';
import { Lights } from '../../ui/Lights.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Phrase } from '../../ui/Phrase.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { text } from '../../ui/strings.ts';
import { Time } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { Pictures } from './Pictures.tsx';
import { ReceiptFacts } from './ReceiptFacts.tsx';
import { timelineText as t } from './strings.ts';

const link = 'text-accent underline underline-offset-2';

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt className="sb-label">{label}</dt>
    <dd className="text-sm break-words">{children}</dd>
  </div>
);

const Box = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <section className="min-w-0">
    <SectionLabel>{label}</SectionLabel>
    <div className="rounded-md border border-line px-3">{children}</div>
  </section>
);

/** Both argument sets side by side when a person changed them; else one, and that it is the same. */
const BothArguments = ({ receipt }: { readonly receipt: ReceiptView }) => {
  const steered = receipt.receipt.steered;
  const same = JSON.stringify(receipt.arguments) === JSON.stringify(receipt.executed_arguments);
  return (
    <div className="space-y-2">
      <div className={same ? '' : 'grid grid-cols-2 gap-4'}>
        {!same && (
          <Box label={t.proposed}>
            <Arguments value={receipt.arguments} />
          </Box>
        )}
        <Box label={t.executed}>
          <Arguments value={receipt.executed_arguments} />
        </Box>
      </div>
      {same && <p className="text-xs text-text-3">{t.sameAsProposed}</p>}
      {steered?.rationale !== undefined && (
        <dl>
          <Fact label={t.rationale}>
            <Visible value={steered.rationale} />
          </Fact>
        </dl>
      )}
    </div>
  );
};

const Body = ({ receipt }: { readonly receipt: ReceiptView }) => {
  const call = useCall(receipt.call_id).data;
  const work = useWork(receipt.work_id).data;
  return (
    <div className="mx-auto w-full max-w-[960px] space-y-5 p-6">
      <div>
        <h1 className="text-lg leading-6 break-words text-text-2">
          <span className="mr-1.5 inline-flex translate-y-px text-text">
            <Principal of={receipt.principal} />
          </span>
          <Phrase verb={receipt.verb} args={receipt.executed_arguments} target={receipt.target} />
        </h1>
        <p className="mt-0.5 flex gap-4 text-xs text-text-3">
          <Time at={receipt.at} />
          <code className="font-mono">{receipt.receipt_id}</code>
          {receipt.call_id !== null && (
            <Link href={`/timeline/${receipt.call_id}`} className={link}>
              {t.openCall}
            </Link>
          )}
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-4 rounded-md border border-line bg-sunken p-3">
        <Fact label={t.approvedBy}>{receipt.approved_by === null ? t.nobody : principalText(receipt.approved_by)}</Fact>
        <Fact label={t.surface}>
          {receipt.surface_id === null ? (
            text.none
          ) : (
            <Link href={`/surfaces/${receipt.surface_id}`} className={link}>
              <Visible value={receipt.surface_label ?? receipt.surface_id} />
            </Link>
          )}
        </Fact>
        <Fact label={t.attestation}>
          <code className="font-mono text-xs">{receipt.attestation}</code>
          <span className="block text-xs text-text-2">{t.attestations[receipt.attestation]}</span>
        </Fact>
      </dl>
      {work !== undefined && <Lights lights={work.lights} />}
      <BothArguments receipt={receipt} />
      <ReceiptFacts receipt={receipt.receipt} />
      {call !== undefined && <Pictures before={call.pictures.before} after={call.pictures.after} />}
    </div>
  );
};

/** `/receipts/:id` */
export const ReceiptPage = ({ id }: { readonly id: string }) => {
  const receipt = useReceipt(id);
  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line bg-panel px-4">
        <Link href="/timeline" aria-label={t.all} title={t.all} className="rounded-sm p-1 text-text-2 hover:bg-hover">
          <ArrowLeft aria-hidden size={16} />
        </Link>
        <span className="text-base font-semibold">{t.receipt}</span>
      </header>
      <Scroll label={t.receipt} className="min-h-0 flex-1 bg-panel">
        {receipt.isPending && <SkeletonRows label={text.loading} />}
        {receipt.isError && (
          <div className="p-4">
            <Notice tone="neutral">{t.receiptNotThere}</Notice>
          </div>
        )}
        {receipt.data !== undefined && <Body key={receipt.data.receipt_id} receipt={receipt.data} />}
      </Scroll>
    </>
  );
};
