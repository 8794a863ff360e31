import { expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { appsIn } from './monorepo.ts'
import { readProject } from './project.ts'

const cwd = useDirectory('each')

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) writeIn(cwd, path, text)
}

/** The directory and tool of each app. */
const apps = async () =>
  (await appsIn(readProject(cwd)))?.map(({ directory, tool, evidence }) => [directory, tool.id, evidence])

const root = (more: object = {}) => JSON.stringify({ name: 'root', scripts: { build: 'turbo build' }, ...more })
const app = (build: string, more: object = {}) => JSON.stringify({ private: true, scripts: { build }, ...more })

const MEMBERS = {
  'apps/shop/package.json': app('vite build', { devDependencies: { vite: '7' } }),
  'apps/shop/vite.config.ts': '',
  'apps/admin/package.json': app('next build', { dependencies: { next: '16' } }),
  'apps/api/package.json': app('nest build', { devDependencies: { '@nestjs/cli': '11' } }),
  'packages/ui/package.json': app('vite build', { exports: './src/index.ts' }),
  'packages/ui/vite.config.ts': '',
  'packages/lib/package.json': app('tsup', { devDependencies: { esbuild: '1' } }),
  'apps/shop/node_modules/other/vite.config.ts': '',
  'apps/shop/node_modules/other/package.json': app('vite build'),
  'elsewhere/old/package.json': app('vite build'),
  'elsewhere/old/vite.config.ts': '',
}
const FOUND = [
  ['apps/admin', 'next', 'next in package.json'],
  ['apps/api', 'nest', '@nestjs/cli in package.json'],
  ['apps/shop', 'vite', 'vite.config.ts'],
]

it.each<[string, Record<string, string>]>([
  ['workspaces', { 'package.json': root({ workspaces: ['apps/*', 'packages/**'] }) }],
  ['Yarn workspaces', { 'package.json': root({ workspaces: { packages: ['./apps/*/', 'packages/*'] } }) }],
  [
    'pnpm-workspace.yaml',
    {
      'package.json': root(),
      'pnpm-workspace.yaml':
        "# ours\npackages:\n  - apps/*\n  # libraries\n  - 'packages/*'\n  - \"!packages/lib\"\n\ncatalog:\n  vite: 7\n  elsewhere: '-'\n",
    },
  ],
  ['a tool installed in the root', { 'package.json': root({ workspaces: ['apps/*'], dependencies: { next: '16' } }) }],
  ['a Bun lock file', { 'package.json': root({ workspaces: ['apps/*'] }), 'bun.lock': '' }],
])('finds the apps in a monorepo with %s', async (_, files) => {
  write({ ...MEMBERS, ...files })
  expect(await apps()).toEqual(FOUND)
})

it('finds Nx apps, which have no package.json', async () => {
  write({
    'package.json': JSON.stringify({ dependencies: { next: '16', vite: '7', 'react-native': '1' } }),
    'nx.json': '{}',
    'apps/shop/project.json': '{}',
    'apps/shop/vite.config.mts': '',
    'apps/admin/project.json': '{}',
    'apps/admin/next.config.js': '',
    'libs/ui/project.json': '{}',
  })
  expect(await apps()).toEqual([
    ['apps/admin', 'next', 'next.config.js'],
    ['apps/shop', 'vite', 'vite.config.mts'],
  ])
})

it.each<[string, Record<string, string>]>([
  ['an app outside a monorepo', { 'package.json': app('vite build') }],
  ['an invalid workspace list', { 'package.json': root({ workspaces: 7 }), 'lerna.json': '{' }],
  ['a root that is itself an app', { 'package.json': root({ workspaces: ['apps/*'] }), 'vite.config.ts': '' }],
])('does not report %s', async (_, files) => {
  write({ ...MEMBERS, ...files })
  expect(await apps()).toBeUndefined()
})

it('returns no apps for a monorepo without any', async () => {
  write({ 'package.json': root({ workspaces: ['apps/*'] }), 'apps/a/package.json': '{' })
  expect(await apps()).toEqual([])
})
