/**
 * The table of docs/architecture.md. Each layer: its folder, what of ours it may import beside
 * itself, which packages, and whether it may use Node. Read by .dependency-cruiser.mjs and
 * test/architecture.
 */
const PORTS = '^core/kernel/ports';

export const layers = [
  { name: 'contracts', from: '^core/contracts/', ours: [], packages: ['zod'], node: false },
  {
    name: 'domain',
    from: '^core/domain/',
    ours: ['^core/contracts/'],
    packages: ['@marcbachmann/cel-js', 'canonicalize'],
    node: false,
  },
  {
    name: 'kernel',
    from: '^core/kernel/',
    ours: ['^core/contracts/', '^core/domain/'],
    packages: ['canonicalize'],
    node: true,
  },
  {
    name: 'gate',
    from: '^core/gate/',
    ours: ['^core/contracts/', '^core/domain/', '^core/kernel/'],
    packages: [],
    node: true,
  },
  {
    name: 'stores-sqlite',
    from: '^core/stores/sqlite/',
    ours: ['^core/contracts/', '^core/kernel/'],
    packages: ['libsql'],
    node: true,
  },
  {
    name: 'stores-files',
    from: '^core/stores/files/',
    ours: ['^core/contracts/', PORTS],
    packages: [],
    node: true,
  },
  {
    name: 'surfaces-common',
    from: '^core/surfaces/common/',
    ours: ['^core/contracts/', '^core/domain/', PORTS],
    packages: [],
    node: true,
  },
  {
    name: 'page-agent',
    from: '^core/surfaces/browser/page/',
    ours: ['^core/surfaces/browser/pageProtocol'],
    packages: ['dom-accessibility-api'],
    node: false,
  },
  {
    name: 'surfaces-browser',
    from: '^core/surfaces/browser/(?!page/)',
    ours: ['^core/contracts/', '^core/domain/', PORTS, '^core/surfaces/common/'],
    packages: ['playwright-core', 'ws'],
    node: true,
  },
  {
    name: 'surfaces-terminal',
    from: '^core/surfaces/terminal/',
    ours: ['^core/contracts/', '^core/domain/', PORTS, '^core/surfaces/common/'],
    packages: [],
    node: true,
  },
  {
    name: 'api',
    from: '^core/api/',
    ours: ['^core/contracts/', '^core/kernel/', '^core/gate/'],
    packages: ['hono', '@hono/node-server', 'ws', 'zod', '@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    node: true,
  },
  {
    name: 'cli',
    from: '^core/cli/',
    ours: ['^core/contracts/', '^core/compose'],
    packages: ['commander', 'env-paths', '@modelcontextprotocol/client', '@modelcontextprotocol/server'],
    node: true,
  },
  {
    name: 'compose',
    from: '^core/compose',
    ours: ['^core/'],
    packages: ['pino', 'env-paths', 'zod'],
    node: true,
  },
  {
    name: 'electron',
    from: '^electron/',
    ours: ['^core/contracts/', '^core/compose'],
    packages: ['electron'],
    node: true,
  },
  {
    name: 'renderer',
    from: '^renderer/',
    ours: ['^core/contracts/'],
    packages: [
      'react',
      'react-dom',
      'react-aria-components',
      'react-aria',
      'react-stately',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      'tailwindcss',
      'zustand',
      'wouter',
      'cmdk',
      'lucide-react',
      'zod',
    ],
    node: false,
  },
];
