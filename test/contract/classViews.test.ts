import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { classDocument } from '../../core/contracts/classDocument.ts';
import { profileMarkdown, skillMarkdown } from '../../core/contracts/classViews.ts';
import { verbs } from '../../core/contracts/operatorClass.ts';

const kept = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../assets/operator/${name}`, import.meta.url)), 'utf8');

describe('the views of the class document in assets/operator', () => {
  it('are what npm run profile writes now', () => {
    const mend = 'run npm run profile and commit what it wrote';
    expect(JSON.parse(kept('operator-class.json')), mend).toEqual(JSON.parse(JSON.stringify(classDocument())));
    expect(kept('PROFILE.md'), mend).toBe(profileMarkdown());
    expect(kept('SKILL.md'), mend).toBe(skillMarkdown());
  });
  it('name every verb, and what is lost where a facet is missing', () => {
    for (const verb of verbs) {
      expect(profileMarkdown()).toContain(`### ${verb.name}\n`);
      expect(skillMarkdown()).toContain(`\`${verb.name}\``);
      if (verb.degradesTo !== undefined) expect(skillMarkdown()).toContain(verb.degradesTo.loss);
    }
  });
});
