import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { caopOperations, type CaopOperation } from '../../contracts/caop/operations.ts';
import { caopError } from '../../contracts/caop/schemas.ts';
import { startCaopServer, type CaopServer } from '../../../test/support/caopServer.ts';
import { goalId, registerPull, rfc, setGoal } from '../../../test/support/paymentLedger.ts';
import { connectAgent } from '../../../test/support/mcp.ts';
import type { Signalbox } from '../../../test/support/signalbox.ts';

let server: CaopServer;
beforeEach(async () => {
  server = await startCaopServer();
  await setGoal(server.stage);
  await registerPull(server.stage);
});
afterEach(async () => server[Symbol.asyncDispose]());

const errorOf = (body: unknown) => caopError.parse(body).error;

describe('the seventeen operations over HTTP', () => {
  it('want a token, and answer an unknown path under /v1 with 404', async () => {
    for (const operation of Object.values(caopOperations) as CaopOperation[]) {
      const where = operation.path.replaceAll(/\{\w+\}/g, 'x');
      const { status, body } = await server.call(
        operation.method === 'get' ? 'GET' : 'POST',
        where,
        operation.method === 'get' ? undefined : {},
        'nobody',
      );
      expect([where, status, errorOf(body).code]).toEqual([where, 401, 'UNAUTHENTICATED']);
    }
    expect((await server.call('POST', '/v1/nothing', {})).status).toBe(404);
  });

  it('stage, approve, dispatch, settle', async () => {
    const staged = await server.call('POST', '/v1/compact/stage-work', rfc('Plan', []));
    expect(staged).toMatchObject({ status: 200, body: { sub_state: 'COMMIT_AWAITING_APPROVAL' } });
    const list = await server.call('GET', '/x/approvals', undefined, server.tokens.approver);
    const [approval] = list.body['approvals'] as { approval_id: string; work_id: string }[];
    expect(approval?.work_id).toBe(staged.body['work_id']);
    const decide = `/v1/approvals/${approval?.approval_id}/decision`;
    const yes = { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' };
    expect((await server.call('POST', decide, yes)).status).toBe(403);
    expect(await server.call('POST', decide, yes, server.tokens.approver)).toMatchObject({
      status: 200,
      body: { decision: 'approve', approved_by: { type: 'user', id: 'ann' } },
    });
    expect(await server.call('POST', decide, yes, server.tokens.approver)).toMatchObject({ status: 409 });
    const dispatched = await server.call('POST', '/v1/compact/dispatch-work', {
      work_id: staged.body['work_id'],
      decision: 'APPROVE_AND_DISPATCH',
    });
    expect(dispatched).toMatchObject({
      status: 200,
      body: { turn_directive: 'INCOMPLETE_TURN_CONTINUATION_REQUIRED' },
    });
    const { directive } = dispatched.body as unknown as {
      directive: {
        invocation_id: string;
        idempotency_key: string;
        mandatory_next_steps: { required_nonce?: string }[];
      };
    };
    const receipt = {
      work_id: staged.body['work_id'],
      invocation_id: directive.invocation_id,
      idempotency_key: directive.idempotency_key,
      nonce: directive.mandatory_next_steps[1]?.required_nonce,
      status: 'SUCCEEDED',
      raw_output: { external_ref: 'a' },
    };
    expect(await server.call('POST', '/v1/compact/settle-receipt', receipt)).toMatchObject({
      status: 422,
      body: { error: { details: { missing_fields: ['html_url'] } } },
    });
    const whole = { ...receipt, raw_output: { external_ref: 'a', html_url: 'b' } };
    expect(await server.call('POST', '/v1/compact/settle-receipt', whole)).toMatchObject({
      status: 200,
      body: { thread_unlocked: true },
    });
    expect(await server.call('GET', `/v1/executions/${String(staged.body['work_id'])}`)).toMatchObject({
      status: 200,
      body: { state: 'COMPLETED' },
    });
  });

  it('a vote below the quorum is answered 202 with the count', async () => {
    const policy = {
      policy_id: 'two',
      require_human_approval: true,
      pre_commit_hooks: [],
      routing: { required_roles: [], min_quorum: 2, expiration_seconds: 600 },
    };
    expect((await server.call('POST', '/x/commit-policies', policy)).status).toBe(403);
    expect((await server.call('POST', '/x/commit-policies', policy, server.tokens.approver)).status).toBe(201);
    await server.call('POST', '/v1/compact/stage-work', rfc('Plan', []));
    const list = await server.call('GET', '/x/approvals', undefined, server.tokens.approver);
    const [approval] = list.body['approvals'] as { approval_id: string }[];
    const vote = await server.call(
      'POST',
      `/v1/approvals/${approval?.approval_id}/decision`,
      { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' },
      server.tokens.approver,
    );
    expect(vote).toMatchObject({ status: 202, body: { votes: 1, needed: 2 } });
  });

  it('every 4xx names the field and the mend', async () => {
    const missing = await server.call('POST', '/v1/compact/stage-work', { goal_id: goalId });
    const { code, details } = errorOf(missing.body);
    expect([missing.status, code]).toEqual([400, 'INVALID_REQUEST']);
    expect(((details ?? {})['issues'] as { path: string }[]).map((issue) => issue.path)).toEqual([
      'understanding',
      'commitment',
      'plan_steps',
    ]);
    expect((await server.call('POST', '/v1/compact/pulse', '{"scope_goal_ids":["\\u0000"]}')).status).toBe(400);
    expect((await server.call('POST', '/v1/compact/pulse', `${'['.repeat(5_000)}${']'.repeat(5_000)}`)).status).toBe(
      400,
    );
    expect((await server.call('GET', '/v1/commitments?cursor=nonsense')).status).toBe(400);
  });

  it('an unforeseen failure is 500 INTERNAL without its cause', async () => {
    const { caop } = server.stage;
    Object.assign(caop.commitments, { list: () => Promise.reject(new Error('secret detail')) });
    const { status, body } = await server.call('GET', '/v1/commitments');
    expect([status, errorOf(body).code]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('too many requests: 429 with retry-after, for that token alone', async () => {
    await server[Symbol.asyncDispose]();
    server = await startCaopServer(undefined, { rateLimit: { burst: 3, perSecond: 1 } });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await server.call('GET', '/v1/commitments')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await server.call('GET', '/v1/commitments');
    expect([errorOf(refused.body).code, refused.headers.get('retry-after')]).toEqual(['RATE_LIMITED', '1']);
    expect((await server.call('GET', '/v1/commitments', undefined, server.tokens.other)).status).toBe(200);
  });
});

describe('over MCP', () => {
  it('?tools=operator,caop lists the tools that CAOP names, and they work', async () => {
    const client = await connectAgent({ url: server.api.url } as Signalbox, {
      query: '?tools=operator,caop',
      token: server.tokens.agent,
    });
    const names = (await client.tools()).map(({ name }) => name);
    for (const { tool } of Object.values(caopOperations) as CaopOperation[])
      if (tool !== undefined) expect(names).toContain(tool);
    const staged = await client.call('caop_stage_work', rfc('Plan', []));
    expect(staged).toMatchObject({ sub_state: 'COMMIT_AWAITING_APPROVAL' });
    const refused = await client.refused('caop_dispatch_work', {
      work_id: staged['work_id'],
      decision: 'APPROVE_AND_DISPATCH',
    });
    expect(refused).toMatchObject({ code: 'POLICY_APPROVAL_REQUIRED' });
    expect(await client.call('caop_pulse', { scope_goal_ids: [goalId] })).toMatchObject({
      workspace_stage_profile: 'CAOP-STAGE-1',
    });
    expect(await client.call('get_work_status', { execution_id: staged['work_id'] })).toMatchObject({
      state: 'WAITING_APPROVAL',
    });
    expect(await client.call('list_commitments')).toMatchObject({ data: [{ objective: 'Plan' }] });
    await client.close();
  });
});
