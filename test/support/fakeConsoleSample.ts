import type { ApprovalView, CallView, LeaseView, ReceiptView, SurfaceView } from '../../core/contracts/console.ts';
import type { TargetObject } from '../../core/contracts/operatorClass.ts';
import type { FakeState } from './fakeConsoleState.ts';

/** What a console of a working day shows: three surfaces, two agents, a few waiting approvals, a trace. */
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();

const billing = { type: 'agent', id: 'billing' } as const;
const research = { type: 'agent', id: 'research' } as const;
const local = { type: 'user', id: 'local' } as const;
const hash = (digit: string): string => digit.repeat(64);

/** Where the button "Pay now" is on `samplePage`. */
const payBounds = { x: 1_010, y: 604, width: 190, height: 44 };

/** The page that surfaces of the stand-in show; 1280x800. */
export const samplePage = `<!doctype html><meta charset="utf-8"><style>
*{box-sizing:border-box}body{margin:0;font:15px/22px Inter,system-ui,sans-serif;color:#1d2733;background:#f4f6f9;width:1280px;height:800px}
header{height:64px;background:#0f3d3a;color:#fff;display:flex;align-items:center;gap:28px;padding:0 32px;font-weight:600}header span{opacity:.75;font-weight:400}
main{display:grid;grid-template-columns:1fr 380px;gap:28px;padding:28px 32px}h1{font-size:24px;line-height:32px;margin:0 0 16px}
table{width:100%;border-collapse:collapse;background:#fff;border-radius:8px}td,th{text-align:left;padding:13px 16px;border-bottom:1px solid #e4e9ef}th{font-size:12px;color:#5c6b7a}
.sum{background:#fff;border-radius:8px;padding:24px}.row{display:flex;justify-content:space-between;padding:7px 0}.total{font-weight:700;font-size:20px;border-top:1px solid #e4e9ef;margin-top:8px;padding-top:14px}
button{position:absolute;left:1010px;top:604px;width:190px;height:44px;border:0;border-radius:6px;background:#0f766e;color:#fff;font:600 15px Inter,sans-serif}
a{position:absolute;left:890px;top:615px;color:#0f3d3a}</style>
<header>Northwind Supplies <span>Orders</span><span>Invoices</span><span>Suppliers</span></header>
<main><section><h1>Invoice 1042</h1><table><tr><th>Item<th>Qty<th>Unit<th>Amount</tr>
<tr><td>Rail ties, oak, 2.6 m<td>40<td>18.50<td>740.00</tr><tr><td>Ballast, granite, 25 t<td>1<td>310.00<td>310.00</tr>
<tr><td>Signal lamp, LED, clear<td>6<td>21.00<td>126.00</tr><tr><td>Delivery<td>1<td>64.00<td>64.00</tr></table></section>
<div class="sum" style="height:330px"><h1>Payment</h1><div class="row"><span>Subtotal</span><span>1,176.00</span></div><div class="row"><span>Delivery</span><span>64.00</span></div>
<div class="row total"><span>Total</span><span>€1,240.00</span></div><p>Pays from account •••• 4471 on 1 December.</p></div></main><a>Save draft</a><button>Pay now</button>`;

const sampleSurface = (more: Partial<SurfaceView> = {}): SurfaceView => ({
  id: 'sur_invoices',
  kind: 'browser',
  label: 'Invoices',
  title: 'Invoice 1042 · Northwind Supplies',
  address: 'https://northwind.example/invoices/1042/pay?return=%2Forders',
  facets: ['operator/browser@1', 'operator/screenshot@1'],
  readiness: 'settled',
  controller: 'agent',
  generation: 1,
  size: { width: 1_280, height: 800 },
  state: 'ready',
  pending_approvals: 0,
  badges: [],
  live: true,
  ...more,
});

export const sampleApproval = (id: string, more: Partial<ApprovalView> = {}): ApprovalView => ({
  approval_id: id,
  work_id: `wrk_${id}`,
  status: 'pending',
  requested_by: billing,
  requested_at: ago(42_000),
  expires_at: ahead(858_000),
  surface_id: 'sur_invoices',
  surface_label: 'Invoices',
  surface_kind: 'browser',
  address: 'https://northwind.example/invoices/1042/pay?return=%2Forders',
  verb: 'operator.act',
  arguments: { surface_id: 'sur_invoices', target: 'e27', action: 'press' },
  steered_arguments: null,
  target: { ref: 'e27', role: 'button', name: 'Pay now', row: 'Invoice 1042', bounds: payBounds },
  policy: {
    effect: 'require_approval',
    policy_id: 'default-by-risk',
    policy_version: '1',
    because: 'Pressing something can change it for good, so a person is asked by default.',
    values: { 'capability.sociallyIrreversible': true, 'surface.origin': 'https://northwind.example' },
    matched: [{ policy_id: 'default-by-risk', version: '1' }],
  },
  would: 'Press the button “Pay now” in row “Invoice 1042” on northwind.example.',
  picture: { sha256: hash('a'), width: 1_280, height: 800 },
  recent: [
    {
      call_id: 'call_5',
      at: ago(44_000),
      verb: 'operator.perceive',
      summary: 'perceive “pay”: 2 targets',
      outcome: 'ok',
    },
    { call_id: 'call_4', at: ago(61_000), verb: 'operator.act', summary: 'press link “Invoice 1042”', outcome: 'ok' },
    { call_id: 'call_3', at: ago(66_000), verb: 'operator.perceive', summary: 'perceive: 41 targets', outcome: 'ok' },
    {
      call_id: 'call_2',
      at: ago(71_000),
      verb: 'operator.navigate',
      summary: 'navigate to northwind.example/invoices',
      outcome: 'ok',
    },
    { call_id: 'call_1', at: ago(74_000), verb: 'operator.list_surfaces', summary: 'list_surfaces: 3', outcome: 'ok' },
  ],
  binding_hash: hash('b'),
  attached: true,
  quorum: { needed: 1, votes: [] },
  decision: null,
  ended_because: null,
  lights: { approved: 'no', executed: 'no', receipted: 'no', verified: 'no' },
  ...more,
});

export const sampleLease = (more: Partial<LeaseView> = {}): LeaseView => ({
  work_id: 'wrk_lost',
  invocation_id: 'inv_lost',
  holder: research,
  surface_id: 'sur_invoices',
  verb: 'operator.act',
  arguments: { surface_id: 'sur_invoices', target: 'e27', action: 'press' },
  target: { ref: 'e27', role: 'button', name: 'Pay now', row: 'Invoice 1042' },
  state: 'expired',
  opened_at: ago(400_000),
  expires_at: ago(340_000),
  required_nonce: null,
  sent: ['mouse move to 1105,626', 'mouse press at 1105,626', 'mouse release at 1105,626'],
  resolution: null,
  ...more,
});

export const sampleCall = (n: number, more: Partial<CallView> = {}): CallView => {
  const kinds = [
    { verb: 'operator.perceive', summary: 'perceive: 41 targets', read_only: true },
    { verb: 'operator.act', summary: 'press button “Add line”', read_only: false },
    { verb: 'operator.settle', summary: 'settled', read_only: true },
    { verb: 'operator.navigate', summary: 'navigate to northwind.example/orders', read_only: false },
  ] as const;
  const kind = kinds[n % kinds.length] ?? kinds[0];
  return {
    call_id: `call_${n}`,
    n,
    at: ago((100_000 - n) * 900),
    duration_ms: 8 + ((n * 37) % 900),
    principal: n % 3 === 0 ? research : billing,
    client: 'example-client 1.4.0',
    surface_id: 'sur_invoices',
    ...kind,
    arguments: { surface_id: 'sur_invoices', target: `e${n % 90}`, action: 'press' },
    outcome: n % 29 === 0 ? 'refused' : n % 17 === 0 ? 'blocked' : 'ok',
    code: n % 29 === 0 ? 'APPROVAL_DENIED' : null,
    result: kind.read_only ? { targets: 41, readiness: 'settled' } : sampleReceiptObject,
    work_id: null,
    receipt_id: kind.read_only ? null : 'rcp_1',
    pictures: kind.read_only ? { before: null, after: null } : { before: hash('c'), after: hash('d') },
    ...more,
  };
};

const sampleReceiptObject = {
  changed: true,
  readiness: 'settled' as const,
  receipt_id: 'rcp_1',
  effects: [
    { kind: 'value_set' as const, detail: 'Note to supplier: empty → “Deliver before noon”' },
    { kind: 'text_appeared' as const, detail: 'total: none → Saved' },
  ],
  value_after: 'Deliver before noon',
  timing: { queued: 3, approved: 8_420, acted: 8_431, settled: 8_520 },
};

const sampleReceipt = (id: string, more: Partial<ReceiptView> = {}): ReceiptView => ({
  receipt_id: id,
  work_id: `wrk_${id}`,
  call_id: 'call_90',
  principal: billing,
  surface_id: 'sur_invoices',
  surface_label: 'Invoices',
  verb: 'operator.act',
  arguments: { surface_id: 'sur_invoices', target: 'e31', action: 'enter_text', value: 'Deliver at once' },
  executed_arguments: { surface_id: 'sur_invoices', target: 'e31', action: 'enter_text', value: 'Deliver before noon' },
  target: { ref: 'e31', role: 'textbox', name: 'Note to supplier' },
  receipt: {
    ...sampleReceiptObject,
    receipt_id: id,
    steered: {
      proposed: { value: 'Deliver at once' },
      executed: { value: 'Deliver before noon' },
      rationale: 'The supplier does not deliver in the afternoon.',
    },
  },
  attestation: 'KERNEL_ATTESTED',
  approved_by: local,
  at: ago(130_000),
  ...more,
});

const sampleTargets: readonly TargetObject[] = [
  { ref: 'page', role: 'document', name: 'Invoice 1042' },
  { ref: 'e12', role: 'link', name: 'Orders', bounds: { x: 236, y: 20, width: 52, height: 24 }, in_view: true },
  { ref: 'e13', role: 'link', name: 'Invoices', bounds: { x: 316, y: 20, width: 62, height: 24 }, in_view: true },
  { ref: 'e27', role: 'button', name: 'Pay now', row: 'Invoice 1042', bounds: payBounds, in_view: true },
  { ref: 'e28', role: 'link', name: 'Save draft', bounds: { x: 888, y: 613, width: 82, height: 26 }, in_view: true },
  { ref: 'e31', role: 'textbox', name: 'Note to supplier', value: 'Deliver before noon', states: ['required'] },
  ...Array.from({ length: 80 }, (_, index) => ({
    ref: `e${100 + index}`,
    role: 'cell',
    name: `Line ${index + 1}`,
    in_view: false,
  })),
];

const fill = (state: FakeState): void => {
  state.surfaces = [
    sampleSurface({
      pending_approvals: 2,
      busy: { principal: billing, verb: 'operator.act', since: ago(42_000) },
    }),
    sampleSurface({
      id: 'sur_catalogue',
      label: 'Catalogue',
      address: 'https://suppliers.example/catalogue',
      readiness: 'loading',
      holder: { principal: { type: 'user', id: 'mira' }, since: ago(80_000), private: false },
    }),
    sampleSurface({
      id: 'sur_terminal',
      kind: 'terminal',
      label: 'Terminal',
      facets: [],
      badges: ['not available in this version'],
      state: 'idle',
      live: false,
    }),
  ];
  state.targets = { targets: [...sampleTargets], readiness: 'settled', total: sampleTargets.length };
  state.calls = Array.from({ length: 3_000 }, (_, index) => sampleCall(3_000 - index));
  state.receipts = [
    sampleReceipt('rcp_1'),
    sampleReceipt('rcp_2', { at: ago(300_000), executed_arguments: sampleReceipt('x').arguments }),
  ];
};

const policies = (state: FakeState): void => {
  state.policies = [
    {
      policy_id: 'default-by-risk',
      version: '1',
      title: 'Ask before anything that changes something',
      scope: '*',
      condition: 'capability.readOnly == false',
      effect: 'require_approval',
      enforcement: 'enforced',
      expires_at: null,
      created_by: { type: 'service', id: 'signalbox' },
      created_at: ago(86_400_000),
      disabled_at: null,
    },
    {
      policy_id: 'no-deletes',
      version: '2',
      title: 'Nobody deletes invoices',
      scope: 'operator.act',
      condition: 'target.name.contains("Delete") && surface.address.startsWith("https://northwind.example/invoices")',
      effect: 'deny',
      enforcement: 'enforced',
      expires_at: null,
      created_by: local,
      created_at: ago(7_200_000),
      disabled_at: null,
    },
    {
      policy_id: 'save-drafts',
      version: '1',
      title: 'Saving drafts needs nobody',
      scope: 'operator.act',
      condition: 'arguments.action == "press" && target.name == "Save draft"',
      effect: 'allow',
      enforcement: 'enforced',
      expires_at: ahead(7_200_000),
      created_by: local,
      created_at: ago(3_600_000),
      disabled_at: null,
    },
  ];
};

const tokens = (state: FakeState): void => {
  const token = { surfaces: null, label: null, expires_at: null, revoked_at: null, created_at: ago(86_400_000) };
  state.tokens = [
    { ...token, token_id: 'tok_1', principal: local, roles: ['admin'], last_used_at: ago(1_000) },
    {
      ...token,
      token_id: 'tok_2',
      principal: billing,
      roles: [],
      last_used_at: ago(44_000),
      label: 'nightly invoices',
    },
    {
      ...token,
      token_id: 'tok_3',
      principal: research,
      roles: [],
      last_used_at: null,
      revoked_at: ago(3_600_000),
      surfaces: ['sur_catalogue'],
    },
  ];
};

/** A day's worth of everything. */
export const fillSample = (state: FakeState): void => {
  fill(state);
  policies(state);
  tokens(state);
  state.approvals = [
    sampleApproval('apr_mail', {
      requested_by: research,
      requested_at: ago(20_000),
      target: {
        ref: 'e31',
        role: 'textbox',
        name: 'Note to supplier',
        bounds: { x: 40, y: 420, width: 700, height: 40 },
      },
      arguments: {
        surface_id: 'sur_invoices',
        target: 'e31',
        action: 'enter_text',
        value: 'Dear Ms Okafor,\n\nplease deliver at once, as agreed.\n\nKind regards\nAccounts',
      },
      would: 'Replace the text of the field “Note to supplier” on northwind.example.',
    }),
    sampleApproval('apr_pay'),
    sampleApproval('apr_done', {
      status: 'used',
      requested_at: ago(3_000_000),
      work_id: 'wrk_rcp_1',
      steered_arguments: {
        surface_id: 'sur_invoices',
        target: 'e31',
        action: 'enter_text',
        value: 'Deliver before noon',
      },
      arguments: { surface_id: 'sur_invoices', target: 'e31', action: 'enter_text', value: 'Deliver at once' },
      decision: {
        by: local,
        decision: 'steer',
        at: ago(2_900_000),
        reason: 'The supplier does not deliver in the afternoon.',
      },
      lights: { approved: 'yes', executed: 'yes', receipted: 'yes', verified: 'no' },
    }),
    sampleApproval('apr_no', {
      status: 'denied',
      requested_at: ago(4_000_000),
      decision: { by: local, decision: 'reject', at: ago(3_900_000), reason: 'Not before the delivery is here.' },
      lights: { approved: 'failed', executed: 'no', receipted: 'no', verified: 'no' },
    }),
    sampleApproval('apr_void', {
      status: 'void',
      requested_at: ago(5_000_000),
      ended_because: 'The target changed: button “Pay now” became button “Pay twice”.',
    }),
  ];
  state.work = ['apr_pay', 'rcp_1'].map((id) => ({
    work_id: `wrk_${id}`,
    status: id === 'rcp_1' ? 'EXECUTE_COMPLETED' : 'COMMIT_AWAITING_APPROVAL',
    staged_by: billing,
    staged_at: ago(50_000),
    updated_at: ago(40_000),
    surface_id: 'sur_invoices',
    verb: 'operator.act',
    arguments: {},
    executed_arguments: null,
    approval_id: id === 'rcp_1' ? 'apr_done' : id,
    receipt_id: id === 'rcp_1' ? 'rcp_1' : null,
    ended_because: null,
    policy: sampleApproval('x').policy,
    lights: { approved: 'yes', executed: 'yes', receipted: 'yes', verified: 'no' },
  }));
};
