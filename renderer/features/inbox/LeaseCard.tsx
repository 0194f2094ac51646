import { useState } from 'react';
import type { ApprovalView, LeaseResolutionInput, LeaseView } from '../../../core/contracts/console.ts';
import { useApproval, useMayApprove, useResolveLease, useSurface, useWork } from '../../bridge/queries.ts';
import { Arguments } from '../../ui/Arguments.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { principalText } from '../../ui/format.ts';
import { Lights } from '../../ui/Lights.tsx';
import { LiveCanvas } from '../../ui/LiveCanvas.tsx';
import { ErrorNotice, Notice } from '../../ui/Notice.tsx';
import { Outline } from '../../ui/Outline.tsx';
import { Phrase } from '../../ui/Phrase.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { Signal } from '../../ui/Signal.tsx';
import { text } from '../../ui/strings.ts';
import { Time } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { visibleLine } from '../../ui/visibleText.ts';
import { Headline, Where } from './CardHead.tsx';
import { tellDecision } from './lastDecision.ts';
import { inbox } from './strings.ts';

type Outcome = LeaseResolutionInput['outcome'];
const outcomes: readonly { readonly id: Outcome; readonly label: string }[] = [
  { id: 'happened', label: inbox.lease.happened },
  { id: 'did_not_happen', label: inbox.lease.didNotHappen },
  { id: 'compensate', label: inbox.lease.compensate },
];

const BeforeAndNow = ({
  lease,
  approval,
}: {
  readonly lease: LeaseView;
  readonly approval: ApprovalView | undefined;
}) => {
  const surface = useSurface(lease.surface_id);
  const picture = approval?.picture ?? null;
  const bounds = approval?.target?.bounds;
  const open = surface !== undefined && surface.live && surface.state === 'ready';
  return (
    <div className="grid grid-cols-[repeat(2,minmax(0,var(--sb-evidence)))] gap-3 wide:grid-cols-2">
      <section>
        <SectionLabel>{inbox.lease.before}</SectionLabel>
        {picture === null ? (
          <p className="rounded-md border border-line bg-stage p-4 text-xs text-text-2">{inbox.picture.none}</p>
        ) : (
          <Picture {...picture} alt={inbox.picture.captionAsked} className="rounded-md outline outline-line">
            {bounds !== undefined && <Outline bounds={bounds} surface={picture} />}
          </Picture>
        )}
      </section>
      <section>
        <SectionLabel>{inbox.lease.now}</SectionLabel>
        {open ? (
          <LiveCanvas
            surfaceId={surface.id}
            label={`${inbox.picture.label} ${visibleLine(surface.label ?? surface.id)}`}
            size={surface.size ?? { width: 1_280, height: 800 }}
            maxWidth={960}
            fallback={text.waitingForPicture}
            className="rounded-md outline outline-line"
          />
        ) : (
          <p className="rounded-md border border-line bg-stage p-4 text-xs text-text-2">{inbox.lease.nowNone}</p>
        )}
      </section>
    </div>
  );
};

const Sent = ({ sent }: { readonly sent: readonly string[] }) => (
  <section>
    <SectionLabel>{inbox.lease.sent}</SectionLabel>
    {sent.length === 0 && <p className="text-sm text-text-2">{inbox.lease.sentNone}</p>}
    <ol className="font-mono text-xs leading-5">
      {sent.map((each, index) => (
        <li key={`${index} ${each}`} className="grid grid-cols-[28px_minmax(0,1fr)] break-words">
          <span className="text-text-3">{index + 1}</span>
          <span>
            <Visible value={each} />
          </span>
        </li>
      ))}
    </ol>
  </section>
);

const Resolve = ({ lease, onDone }: { readonly lease: LeaseView; readonly onDone: () => void }) => {
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState(false);
  const resolve = useResolveLease();
  const choose = (outcome: Outcome, label: string): void => {
    if (note.trim() === '') return setMissing(true);
    // Not by `onSuccess`: this form goes with the lease's event, which may come before the answer.
    resolve.mutateAsync({ workId: lease.work_id, resolution: { outcome, note: note.trim() } }).then(
      () => {
        tellDecision({
          id: lease.work_id,
          words: label,
          what: visibleLine(lease.verb),
          href: `/inbox/lease/${lease.work_id}`,
        });
        onDone();
      },
      () => undefined,
    );
  };
  return (
    <footer className="shrink-0 border-t border-line bg-sunken px-4 py-2.5">
      {resolve.isError && (
        <div className="mb-2">
          <ErrorNotice error={resolve.error} />
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-4">
        <Field label={inbox.lease.note} fault={missing ? inbox.lease.noteMissing : null}>
          {(ids) => (
            <textarea
              {...ids}
              rows={2}
              maxLength={4_000}
              className="sb-field resize-y"
              value={note}
              onChange={(event) => {
                setNote(event.target.value);
                setMissing(false);
              }}
            />
          )}
        </Field>
        <ul className="grid gap-1 pt-1">
          {outcomes.map(({ id, label }) => (
            <li key={id} className="grid grid-cols-[132px_minmax(0,1fr)] items-center gap-3">
              <Button size="small" isDisabled={resolve.isPending} onPress={() => choose(id, label)}>
                {label}
              </Button>
              <span className="text-xs text-text-3">{inbox.lease.explain[id]}</span>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
};

/** An outcome nobody knows: what was sent, what it looked like, what it looks like now; a person says what became of it. */
export const LeaseCard = ({ lease, onDone }: { readonly lease: LeaseView; readonly onDone: () => void }) => {
  const mayApprove = useMayApprove();
  const surface = useSurface(lease.surface_id);
  const work = useWork(lease.work_id).data;
  const approval = useApproval(work?.approval_id ?? null).data;
  const { resolution } = lease;
  return (
    <article aria-label={inbox.title} data-card={lease.work_id} className="flex min-h-0 flex-1 flex-col bg-panel">
      <header className="shrink-0 border-b border-line px-4 py-2.5">
        <div className="flex items-start justify-between gap-4">
          <Headline who={lease.holder}>
            {inbox.lease.tried} <Phrase verb={lease.verb} args={lease.arguments} target={lease.target} />
          </Headline>
          {resolution === null ? (
            <Signal tone="unknown">{inbox.groupLeases}</Signal>
          ) : (
            <Signal tone="clear">{inbox.lease.resolved}</Signal>
          )}
        </div>
        <div className="mt-0.5 flex items-baseline justify-between gap-4">
          <Where
            surfaceId={lease.surface_id}
            label={surface?.label ?? null}
            kind={surface?.kind ?? null}
            address={surface?.address ?? null}
          />
          <span className="shrink-0 text-xs text-text-3">
            {inbox.lease.opened} <Time at={lease.opened_at} />
          </span>
        </div>
      </header>
      <Scroll label={inbox.lease.evidence} className="min-h-0 flex-1">
        <div className="space-y-4 px-4 py-3">
          {resolution === null ? (
            <Notice tone="unknown">
              <b>{inbox.lease.title}.</b> <b>{principalText(lease.holder)}</b> {inbox.lease.lead} {inbox.lease.blocks}
            </Notice>
          ) : (
            <Notice tone="clear">
              {outcomes.find((each) => each.id === resolution.outcome)?.label}: {principalText(resolution.by)}{' '}
              <Time at={resolution.at} /> <Visible value={resolution.note} />
            </Notice>
          )}
          <BeforeAndNow lease={lease} approval={approval} />
          <div className="grid grid-cols-2 gap-4">
            <div className="space-y-4">
              <Sent sent={lease.sent} />
              {work !== undefined && (
                <section>
                  <SectionLabel>{inbox.state}</SectionLabel>
                  <Lights lights={work.lights} />
                </section>
              )}
            </div>
            <section>
              <SectionLabel>{inbox.lease.call}</SectionLabel>
              <div className="rounded-md border border-line">
                <p className="border-b border-line bg-sunken px-3 py-1.5 font-mono text-xs font-medium">
                  {visibleLine(lease.verb)}
                </p>
                <div className="px-3">
                  <Arguments value={lease.arguments} />
                </div>
              </div>
            </section>
          </div>
        </div>
      </Scroll>
      {resolution === null && mayApprove && <Resolve key={lease.work_id} lease={lease} onDone={onDone} />}
    </article>
  );
};
