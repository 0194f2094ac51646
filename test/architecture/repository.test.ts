import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Tracked files and new ones that are not ignored: what a commit would hold. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const isText = (file: string): boolean => !/\.(png|ico|icns|woff2?|jpe?g|zip|db)$/.test(file);
const texts = files.filter(isText).map((file) => ({ file, text: read(file) }));

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

describe('top folders', () => {
  it.each(['core', 'electron', 'renderer', 'assets', 'test', 'scripts'])(
    '%s/README.md says what lives here in about ten lines',
    (folder) => {
      const text = read(`${folder}/README.md`);
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      expect(lines[0]).toBe(`# ${folder}`);
      expect(lines.length).toBeGreaterThanOrEqual(6);
      expect(lines.length).toBeLessThanOrEqual(14);
      expect(text).toMatch(/import/);
      expect(text).toMatch(/[Ss]tart/);
    },
  );

  it('hold every source: nothing lies beside them', () => {
    const allowed = /^(core|electron|renderer|assets|test|scripts|docs|bin|\.ci|\.github)\/|^[^/]+$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
  });
});

describe('every tracked file', () => {
  /** Written in parts, so that this file does not hold what it looks for. */
  const forbidden: readonly (readonly [string, RegExp])[] = [
    [
      'a path of one machine',
      new RegExp([String.raw`(?<!\w)/`, '(work|root|home/(?!you/)[a-z]+|Users/(?!you/)[A-Za-z]+)', '/'].join('')),
    ],
    ['a registry host', new RegExp(['registry', String.raw`\.(npmjs|yarnpkg)\.`].join(''))],
    ['a private key', new RegExp(['BEGIN [A-Z ]*', 'PRIVATE KEY'].join(''))],
  ];
  it.each(forbidden)('is free of %s', (_what, pattern) => {
    expect(texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('has no rule disabled inline', () => {
    const off = new RegExp(
      ['(oxlint|eslint)-disable', '@ts-(ignore|nocheck)', 'prettier-ignore', 'v8 ignore'].join('|'),
    );
    const offenders = texts.filter(({ file, text }) => /\.(ts|tsx|mjs|css|html)$/.test(file) && off.test(text));
    expect(offenders.map(({ file }) => file).filter((file) => file !== 'test/architecture/repository.test.ts')).toEqual(
      [],
    );
  });

  it('expects a type error only in tests', () => {
    const expectError = ['@ts', 'expect-error'].join('-');
    expect(
      texts
        .filter(({ file, text }) => !/\.test\.tsx?$/.test(file) && text.includes(expectError))
        .map(({ file }) => file),
    ).toEqual([]);
  });

  it('is named camelCase, or as its React component, where it is a source', () => {
    const sources = files.filter((file) => /^(core|electron|renderer|scripts|test)\/.*\.(ts|tsx|mjs)$/.test(file));
    const wrong = sources.filter(
      (file) =>
        !/^([a-z][a-zA-Z0-9]*(\.(test|generated|config|d))*\.(ts|tsx|mjs)|[A-Z][a-zA-Z0-9]*\.tsx)$/.test(
          path.basename(file),
        ),
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it('is not called utils, helpers, manager or misc', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|managers?|misc)(\.|\/)/i.test(file))).toEqual([]);
  });
});

describe('packages', () => {
  interface Lock {
    readonly packages: Readonly<
      Record<string, { readonly resolved?: string; readonly integrity?: string; readonly inBundle?: boolean }>
    >;
  }
  const lock = JSON.parse(read('package-lock.json')) as Lock;
  const all = { ...manifest.dependencies, ...manifest.devDependencies };

  it('are pinned to exact versions', () => {
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('are locked by hash and without addresses', () => {
    const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
    expect(entries.length).toBeGreaterThan(300);
    expect(entries.filter(([, entry]) => entry.resolved !== undefined).map(([name]) => name)).toEqual([]);
    expect(
      entries.filter(([, entry]) => entry.integrity === undefined && entry.inBundle !== true).map(([name]) => name),
    ).toEqual([]);
  });

  it('each have a row in docs/dependencies.md with the licence they carry', () => {
    const rows = new Map(
      [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` +\| .+ \| ([^|]+) \|$/gm)].map((match) => [
        match[1]!,
        match[2]!.trim(),
      ]),
    );
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(all).toSorted());
    for (const [name, licence] of rows) {
      const installed = JSON.parse(read(`node_modules/${name}/package.json`)) as { license: string };
      expect([name, licence]).toEqual([name, installed.license]);
    }
  });

  it('of the product are permissive, those they bring along too', () => {
    const permissive =
      /^\(?(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Unlicense|BlueOak-1\.0\.0|CC0-1\.0|Python-2\.0)( OR .*|\))*$/;
    const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, encoding: 'utf8' });
    const folders = listed.split('\n').filter((folder) => folder.includes('node_modules'));
    expect(folders.length).toBeGreaterThan(20);
    const licences = folders.map((folder) => {
      const { name, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
        name: string;
        license?: string;
      };
      return [name, license ?? 'none'] as const;
    });
    expect(licences.filter(([, licence]) => !permissive.test(licence))).toEqual([]);
  });
});

describe('documents', () => {
  it('the changelog has the version of package.json', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });

  it('the licence is the whole Apache License 2.0', () => {
    const text = read('LICENSE');
    expect(text).toContain('Version 2.0, January 2004');
    expect(text).toContain('END OF TERMS AND CONDITIONS');
    expect(text.length).toBeGreaterThan(11_000);
  });

  it('link to files that exist', () => {
    const documents = texts.filter(({ file }) => file.endsWith('.md'));
    const broken = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => path.join(path.dirname(file), match[1]!))
        .filter((target) => !existsSync(path.join(root, target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files that exist', () => {
    const named = ['README.md', 'docs/architecture.md', 'docs/security.md', 'docs/dependencies.md'].flatMap(
      (document) =>
        [...read(document).matchAll(/`((?:core|electron|renderer|scripts|test|assets|bin|docs)\/[^`\s{*]+)`/g)].map(
          (match) => match[1]!,
        ),
    );
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('the README names the Node that package.json wants', () => {
    expect(manifest.engines.node).toBe('>=20.19');
    expect(read('README.md')).toContain('Node 20.19 or later');
  });
});
