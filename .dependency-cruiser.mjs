import { layers } from './scripts/layers.mjs';

const NOT_TEST = String.raw`\.test\.(ts|tsx)$`;
const OURS = '^(core|electron|renderer|test|scripts)/';
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const packagePattern = (names) => names.map((name) => `(^|/)node_modules/(@types/)?${escape(name)}/`);

const layerRules = layers.flatMap(({ name, from, ours, packages, node }) => [
  {
    name: `${name}-imports-of-ours`,
    comment: `${from} may import of ours only: itself${ours.length > 0 ? `, ${ours.join(', ')}` : ''}.`,
    severity: 'error',
    from: { path: from, pathNot: NOT_TEST },
    to: { path: OURS, pathNot: [from, ...ours] },
  },
  {
    name: `${name}-packages`,
    comment: `${from} may import only these packages: ${packages.join(', ') || 'none'}.`,
    severity: 'error',
    from: { path: from, pathNot: [NOT_TEST, String.raw`\.config\.ts$`] },
    to: {
      path: 'node_modules/',
      ...(packages.length > 0 ? { pathNot: packagePattern(packages) } : {}),
    },
  },
  ...(node
    ? []
    : [
        {
          name: `${name}-no-node`,
          comment: `${from} runs without Node.`,
          severity: 'error',
          from: { path: from, pathNot: [NOT_TEST, String.raw`\.config\.ts$`] },
          to: { dependencyTypes: ['core'] },
        },
      ]),
]);

export default {
  forbidden: [
    ...layerRules,
    {
      name: 'features-apart',
      comment: 'A feature of the renderer never imports another.',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'ui-and-bridge-below-features',
      comment: 'The shared parts of the renderer know no feature.',
      severity: 'error',
      from: { path: '^renderer/(ui|bridge)/' },
      to: { path: '^renderer/(features|app)/' },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(core|electron|renderer)/', pathNot: NOT_TEST },
      to: { path: [NOT_TEST, '^test/'] },
    },
    {
      name: 'no-cycles',
      comment: 'Types may refer to each other; modules that load each other have no order.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-package-at-run-time',
      comment: 'core runs from an installation without development packages.',
      severity: 'error',
      from: { path: '^core/', pathNot: NOT_TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'package-named-in-package.json',
      severity: 'error',
      from: { path: '^(core|electron|renderer)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^dist-app/', String.raw`\.generated\.`, '^test-results/'] },
    moduleSystems: ['es6', 'cjs'],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts', '.json', '.css'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
