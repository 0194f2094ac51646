import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { layers } from '../../scripts/layers.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const sources = ['core', 'electron', 'renderer'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|generated|d)\.|\.config\.ts$/.test(entry.name),
    )
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
);

describe('the table of layers', () => {
  it.each(layers.map((layer) => [layer.name, layer.from] as const))('%s is not empty', (_name, from) => {
    expect(sources.filter((file) => new RegExp(from).test(file)).length).toBeGreaterThan(0);
  });

  it('gives every source to exactly one layer', () => {
    const homeless = sources.map((file) => ({
      file,
      homes: layers.filter(({ from }) => new RegExp(from).test(file)).map(({ name }) => name),
    }));
    expect(homeless.filter(({ homes }) => homes.length !== 1)).toEqual([]);
  });
});

describe('core/domain', () => {
  it('has no clock, no randomness, no waiting, no logging', () => {
    const impure =
      /\bDate\.now\b|new Date\(\)|Math\.random|\bperformance\.|\bcrypto\.|\bprocess\.|\bconsole\.\w+\(|\basync\b|\bPromise\b|setTimeout/;
    const domain = sources.filter((file) => file.startsWith('core/domain/'));
    expect(domain.filter((file) => impure.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});

describe('dependency-cruiser with that table', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'signalbox-layers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the real configuration over a small tree. */
  const violations = (tree: Readonly<Record<string, string>>): readonly string[] => {
    const at = mkdtempSync(path.join(folder, 'tree-'));
    for (const name of ['node_modules', 'scripts', '.dependency-cruiser.mjs', 'tsconfig.base.json', 'package.json'])
      symlinkSync(path.join(root, name), path.join(at, name));
    for (const [file, text] of Object.entries(tree)) {
      mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
      writeFileSync(path.join(at, file), text);
    }
    const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const result = spawnSync(
      process.execPath,
      [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'core'],
      { cwd: at, encoding: 'utf8' },
    );
    const report = JSON.parse(result.stdout) as {
      summary: { violations: { rule: { name: string } }[]; totalCruised: number };
    };
    expect(report.summary.totalCruised).toBeGreaterThan(0);
    return report.summary.violations.map(({ rule }) => rule.name).toSorted();
  };
  const schema = { 'core/contracts/schema.ts': "import { z } from 'zod';\nexport const schema = z.string();\n" };

  it('accepts a rule that reads a contract', () => {
    expect(
      violations({
        ...schema,
        'core/domain/rule.ts': "import { schema } from '../contracts/schema.ts';\nexport const rule = schema;\n",
      }),
    ).toEqual([]);
  });

  it.each([
    [
      'a rule reads the clock of Node',
      'core/domain/rule.ts',
      "import { hrtime } from 'node:process';\nexport const rule = hrtime;\n",
      'domain-no-node',
    ],
    [
      'a contract knows a rule',
      'core/contracts/other.ts',
      "import { rule } from '../domain/rule.ts';\nexport const other = rule;\n",
      'contracts-imports-of-ours',
    ],
    [
      'a surface knows the gate',
      'core/surfaces/terminal/shell.ts',
      "import type { Gate } from '../../gate/gate.ts';\nexport type Shell = Gate;\n",
      'surfaces-terminal-imports-of-ours',
    ],
    [
      'a surface knows another',
      'core/surfaces/terminal/shell.ts',
      "import { page } from '../browser/page.ts';\nexport const shell = page;\n",
      'surfaces-terminal-imports-of-ours',
    ],
    [
      'a store brings a browser',
      'core/stores/sqlite/store.ts',
      "import { chromium } from 'playwright-core';\nexport const store = chromium;\n",
      'stores-sqlite-packages',
    ],
  ])('refuses that %s', (_what, file, text, rule) => {
    const tree = {
      ...schema,
      'core/domain/rule.ts': 'export const rule = 1;\n',
      'core/gate/gate.ts': 'export interface Gate {}\n',
      'core/surfaces/browser/page.ts': 'export const page = 1;\n',
      [file]: text,
    };
    expect(violations(tree)).toContain(rule);
  });
});

describe('the compiler', () => {
  it('is the strict one in every project', () => {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    for (const project of ['core', 'core/surfaces/browser/page', 'electron', 'renderer', 'scripts', 'test']) {
      const shown = JSON.parse(
        execFileSync(process.execPath, [tsc, '-p', project, '--showConfig'], { cwd: root, encoding: 'utf8' }),
      ) as {
        compilerOptions: Record<string, unknown>;
      };
      expect([project, shown.compilerOptions]).toEqual([
        project,
        expect.objectContaining({
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          verbatimModuleSyntax: true,
        }),
      ]);
    }
  });
});
