import { describe, expect, it } from 'vitest';
import { classDocument } from './classDocument.ts';
import { surfaceObject, targetObject, verbs } from './operatorClass.ts';

interface Document {
  readonly id: string;
  readonly state: string;
  readonly digest?: string;
  readonly ten_jobs: readonly string[];
  readonly objects: Record<
    string,
    { required: string[]; properties: Record<string, object>; additionalProperties?: boolean }
  >;
  readonly verbs: readonly {
    name: string;
    summary: string;
    risk?: object;
    tool: { inputSchema: { required?: string[] } };
    contract: { structuredContent: object; content?: object };
  }[];
  readonly properties: readonly { name: string; attaches_to: string[] }[];
  readonly facets: readonly { id: string; summary: string }[];
}

describe('the class document', () => {
  const document = classDocument() as unknown as Document;

  it('is a draft without a digest, with ten jobs in words that differ', () => {
    expect([document.id, document.state, document.digest]).toEqual(['org.classprofiles.operator', 'draft', undefined]);
    expect(new Set(document.ten_jobs).size).toBe(10);
  });

  it('has every verb of the table, refers to the objects, and refuses no unknown key', () => {
    expect(document.verbs.map(({ name }) => name)).toEqual(verbs.map(({ name }) => name));
    const act = document.verbs.find(({ name }) => name === 'operator.act');
    expect(act?.contract.structuredContent).toEqual({ $ref: '#/objects/Receipt' });
    expect(act?.tool.inputSchema.required).toEqual(['surface_id', 'target', 'action']);
    expect(act?.risk).toBeUndefined();
    expect(document.verbs[0]?.risk).toEqual({ readOnlyHint: true });
    expect(document.verbs[0]?.contract.structuredContent).toMatchObject({
      properties: { surfaces: { items: { $ref: '#/objects/Surface' } } },
    });
    expect(JSON.stringify(document)).not.toMatch(/additionalProperties":false|\$schema|\$defs/);
  });

  it('asks a picture of capture', () => {
    expect(document.verbs.at(-1)?.contract.content).toEqual({ requires: ['image'], media_types: ['image/png'] });
  });

  it('gives objects the required keys of the specification and our optional ones', () => {
    expect(document.objects['Surface']?.required).toEqual(['id', 'kind']);
    expect(Object.keys(document.objects['Surface']?.properties ?? {})).toEqual(Object.keys(surfaceObject.shape));
    expect(document.objects['Target']?.required).toEqual(['ref', 'role']);
    expect(Object.keys(document.objects['Target']?.properties ?? {})).toEqual(Object.keys(targetObject.shape));
  });

  it('attaches address and application to Surface, and says what each facet is for', () => {
    expect(document.properties.map(({ name, attaches_to }) => [name, attaches_to])).toEqual([
      ['address', ['objects/Surface']],
      ['application', ['objects/Surface']],
    ]);
    expect(document.facets.every(({ summary }) => summary.length > 20)).toBe(true);
  });
});
