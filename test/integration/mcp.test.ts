import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSurfacesOutput, verbs } from '../../core/contracts/operatorClass.ts';
import { combinations } from '../support/mcp.ts';
import { Operator } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

let stage: Stage;
let surfaceId: string;

beforeAll(async () => {
  stage = await Stage.open();
  surfaceId = (await stage.person.openBrowser(stage.site.page('form'))).id;
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const expected = [...verbs.map((verb) => verb.name as string), 'signalbox.await_work'].sort();

describe.each(combinations)('SDK $sdk over $transport', (combination) => {
  it('lists the seven verbs and await_work, with annotations, in under 2,000 tokens', async () => {
    const agent = await stage.agent(combination);
    const tools = await agent.tools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(expected);
    for (const verb of verbs) {
      const tool = tools.find((candidate) => candidate.name === verb.name);
      expect(tool?.outputSchema).toBeDefined();
      expect([verb.name, tool?.annotations?.['readOnlyHint'] === true]).toEqual([verb.name, verb.readOnly]);
    }
    expect(JSON.stringify(tools).length / 4).toBeLessThan(2000);
    await agent.close();
  });

  it('reads: surfaces, targets by query, text, a picture', async () => {
    const agent = await stage.agent(combination);
    const { surfaces } = listSurfacesOutput.parse(await agent.call('operator.list_surfaces', { kind: 'browser' }));
    expect(surfaces.find((surface) => surface.id === surfaceId)).toMatchObject({
      kind: 'browser',
      address: stage.site.page('form'),
    });

    const operator = new Operator(agent, surfaceId);
    const { targets } = await operator.perceive({ query: 'submit' });
    expect(targets).toMatchObject([{ role: 'button', name: 'Submit order' }]);
    const all = await operator.perceive({});
    expect(all.text).toContain('total: none');
    expect(JSON.stringify(all)).not.toContain('hunter2-secret');
    expect(all.targets.find((target) => target.name === 'Password')?.value).toBe('••••');

    const picture = await agent.raw('operator.capture', { surface_id: surfaceId });
    const image = picture.content.find((part) => part['type'] === 'image');
    expect(image?.['mimeType']).toBe('image/png');
    const png = Buffer.from(String(image?.['data']), 'base64');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      picture.structured?.['width'],
      picture.structured?.['height'],
    ]);
    await agent.close();
  });

  it('says the structured result as text too', async () => {
    const agent = await stage.agent(combination);
    const result = await agent.raw('operator.settle', { surface_id: surfaceId });
    expect(result.structured).toEqual({ readiness: 'settled' });
    expect(JSON.parse(String(result.content[0]?.['text']))).toEqual(result.structured);
    await agent.close();
  });

  it('answers errors that a program can read', async () => {
    const agent = await stage.agent(combination);
    const error = await agent.refused('operator.perceive', { surface_id: 'sur_none' });
    expect(error).toMatchObject({ code: 'SURFACE_GONE', retryable: false });
    await expect(agent.raw('operator.nonsense')).rejects.toThrow(/nonsense/);
    await agent.close();
  });
});

describe('names and sets of tools', () => {
  it('takes both spellings and lists the underscored one when asked', async () => {
    const agent = await stage.agent({ query: '?names=underscore' });
    expect((await agent.tools()).map((tool) => tool.name)).toContain('operator_list_surfaces');
    expect(await agent.call('operator_list_surfaces')).toEqual(await agent.call('operator.list_surfaces'));
  });

  it('lists more only when asked', async () => {
    const agent = await stage.agent({ query: '?tools=operator,signalbox' });
    const names = (await agent.tools()).map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['signalbox.open_surface', 'signalbox.get_receipt']));
  });

  it.each(['legacy', 'auto'] as const)('SDK 2.x works in %s mode too', async (mode) => {
    const agent = await stage.agent({ mode });
    expect(await agent.tools()).toHaveLength(expected.length);
  });
});

const checker = path.resolve(import.meta.dirname, '../../../shared/conformance/check.mjs');

describe('the operator class', () => {
  it.runIf(existsSync(checker))('is the specification, field by field', async () => {
    const document = await stage.person.rest.call('class.json');
    const file = path.join(stage.signalbox.data, 'class.test.json');
    await writeFile(file, JSON.stringify(document));
    const { stdout } = await promisify(execFile)(process.execPath, [checker, 'class', '--file', file]);
    expect(stdout).toMatch(/ 0 failed/);
  });

  it('gives tools the input schemas of the class document', async () => {
    const { verbs: declared } = (await stage.person.rest.call('class.json')) as {
      verbs: { name: string; tool: { inputSchema: { properties: Record<string, unknown>; required?: string[] } } }[];
    };
    const tools = await (await stage.agent()).tools();
    for (const verb of declared) {
      const input = tools.find((tool) => tool.name.endsWith(`.${verb.name.replace(/^operator\./, '')}`))
        ?.inputSchema as { properties: Record<string, unknown>; required?: string[] } | undefined;
      expect([verb.name, Object.keys(input?.properties ?? {}).sort()]).toEqual([
        verb.name,
        Object.keys(verb.tool.inputSchema.properties).sort(),
      ]);
      expect([...(input?.required ?? [])].sort()).toEqual([...(verb.tool.inputSchema.required ?? [])].sort());
    }
  });
});
