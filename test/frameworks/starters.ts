import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import { NODE_22, NODE_24 } from '../support/old-node.ts'
import { MAJORS, type Packages } from './majors.ts'

/** The apps are below it. Their shared packages are installed in it. */
export const STARTERS = join(ROOT, 'fixtures/commands/starters')

/** An app with a server, or a variant that templates have. */
export interface Starter {
  /** The fixture. */
  name: string
  /** What differs in another variant. */
  with?: string
  /** Packages installed only for it. Default: the shared ones. */
  packages?: Packages
  /** Files that differ; `undefined` removes a file. */
  changes?: Readonly<Record<string, string | undefined>>
  /** The required Node version. Default: the version that runs the tests. */
  node?: string
  /** The build command's script, below `node_modules`, and its arguments. */
  build: readonly [string, ...string[]]
  /** The build's output directory, and the part of it for browsers. */
  output: string
  deployed: string
  /** The directory that the build copies into it unchanged. */
  statics: string
  /**
   * A script below `node_modules` or the app (`./`), and its arguments, that serves the app on the given port. Default: a plain web server.
   */
  server?(port: number): readonly [string, ...string[]]
  /** The framework generates maps of its server itself, so they stay. */
  keepsServerMaps?: true
  /** Services as in the config: for browsers, and for the server if its stacks are also uploaded. */
  service: string
  serverService?: string
  /** Its service worker, which lists precached files. It is uploaded and contains no reference to a map. */
  precaches?: string
  /** Where `total` is, and its caller. */
  total: string
  caller: string
  /** The user's files in the static directory, as if another tool had written them into the app. */
  extra?: readonly (readonly [from: string, to: string])[]
}

const FOR_VITE = ['vite/bin/vite.js', 'build'] as const
const previewed = (port: number) =>
  ['vite/bin/vite.js', 'preview', '--strictPort', '--host', '127.0.0.1', '--port', `${port}`] as const
/** Nitro's output, for any framework. */
const NITRO = { output: '.output', deployed: 'public', server: () => ['./.output/server/index.mjs'] as const }

/** Packages of a fixture that shares nothing with the others. */
const ownPackages = (name: string): Packages =>
  JSON.parse(readFileSync(join(STARTERS, name, 'package.json'), 'utf8')).dependencies

const textOf = (name: string, file: string) => readFileSync(join(STARTERS, name, file), 'utf8')

const REACT_ROUTER: Starter = {
  name: 'react-router',
  build: ['@react-router/dev/bin.js', 'build'],
  output: 'build',
  deployed: 'client',
  statics: 'public',
  server: () => ['@react-router/serve/bin.js', 'build/server/index.js'],
  service: 'react-router',
  serverService: 'react-router-server',
  total: 'app/total.ts',
  caller: 'app/home.tsx',
}

const SVELTEKIT: Starter = {
  name: 'sveltekit',
  build: FOR_VITE,
  output: 'build',
  deployed: 'client',
  statics: 'static',
  server: () => ['./build/index.js'],
  service: 'sveltekit-node',
  serverService: 'sveltekit-server',
  total: 'src/lib/total.ts',
  caller: 'src/routes/+page.svelte',
}

const TANSTACK_START: Starter = {
  name: 'tanstack-start',
  packages: ownPackages('tanstack-start'),
  node: NODE_22,
  build: FOR_VITE,
  output: 'dist',
  deployed: 'client',
  statics: 'public',
  server: previewed,
  service: 'tanstack-start',
  serverService: 'tanstack-start-server',
  total: 'src/lib/total.ts',
  caller: 'src/routes/index.tsx',
}

const SOLID_START: Starter = {
  name: 'solid-start',
  packages: ownPackages('solid-start'),
  node: NODE_24,
  build: FOR_VITE,
  ...NITRO,
  statics: 'public',
  service: 'solid-start',
  total: 'src/lib/total.ts',
  caller: 'src/routes/index.tsx',
}

const PWA: Starter = {
  name: 'pwa',
  packages: ownPackages('pwa'),
  build: FOR_VITE,
  output: 'dist',
  deployed: '',
  statics: 'public',
  service: 'pwa',
  total: 'src/total.ts',
  caller: 'src/main.ts',
  precaches: 'sw.js',
}

/** With the user's own service worker, in which the error is thrown. */
const INJECTED: Starter = {
  ...PWA,
  with: 'injectManifest',
  changes: {
    'index.html': textOf('pwa', 'index.html').replace('src/main.ts', 'src/page.ts'),
    'vite.config.ts': textOf('pwa', 'vite.config.ts')
      .replace("'autoUpdate'", "$&, strategies: 'injectManifest', srcDir: 'src', filename: 'sw.ts'")
      .replace("service: 'pwa", '$&-injected'),
  },
  service: 'pwa-injected',
  caller: 'src/sw.ts',
}

export const ALL: readonly Starter[] = [
  {
    name: 'qwik',
    // Builds for browsers, then the preview server, and checks the types of the config with the starter's TypeScript,
    // 5.4.
    build: ['@builder.io/qwik/qwik-cli.cjs', 'build', 'preview'],
    output: 'dist',
    deployed: '',
    statics: 'public',
    server: previewed,
    service: 'qwik',
    total: 'src/lib/total.ts',
    caller: 'src/routes/index.tsx',
  },
  REACT_ROUTER,
  {
    ...REACT_ROUTER,
    packages: MAJORS['react-router'][8],
    node: NODE_22,
    build: ['@react-router/dev/bin.cjs', 'build'],
    server: () => ['@react-router/serve/bin.cjs', 'build/server/index.js'],
  },
  SVELTEKIT,
  {
    ...SVELTEKIT,
    packages: MAJORS.sveltekit[3],
    node: NODE_22,
    // The config is an argument of the plugin, and `$lib` is the user's.
    changes: {
      'svelte.config.js': undefined,
      'vite.config.ts': textOf('sveltekit', 'vite.config.ts')
        .replace('import { sveltekit }', "import adapter from '@sveltejs/adapter-node'\n$&")
        .replace(
          'sveltekit()',
          "sveltekit({ adapter: adapter(), version: { name: '1.2.3' }, alias: { $lib: 'src/lib' } })",
        ),
    },
  },
  TANSTACK_START,
  {
    ...TANSTACK_START,
    ...NITRO,
    with: 'Nitro 3',
    packages: { ...TANSTACK_START.packages, nitro: '3.0.260903-beta' },
    changes: {
      'vite.config.ts': textOf('tanstack-start', 'vite.config.ts')
        .replace("import { defineConfig } from 'vite'", "import { nitro } from 'nitro/vite'\n$&")
        .replace('tanstackStart(),', 'nitro(), $&')
        .replaceAll("service: 'tanstack-start", '$&-nitro')
        .replace('/app/dist/server', '/app/.output/server'),
    },
    service: 'tanstack-start-nitro',
    serverService: 'tanstack-start-nitro-server',
  },
  SOLID_START,
  {
    ...SOLID_START,
    with: 'Nitro 2',
    packages: { ...SOLID_START.packages, '@solidjs/vite-plugin-nitro-2': '0.3.2' },
    changes: {
      'vite.config.ts': textOf('solid-start', 'vite.config.ts')
        .replace("import { nitro } from 'nitro/vite'", "import { nitroV2Plugin } from '@solidjs/vite-plugin-nitro-2'")
        .replace('nitro()', 'nitroV2Plugin()')
        .replace("'solid-start'", "'solid-start-nitro-2'"),
    },
    service: 'solid-start-nitro-2',
    keepsServerMaps: true,
  },
  {
    ...SOLID_START,
    packages: MAJORS['solid-start'][1],
    changes: {
      'vite.config.ts': undefined,
      'app.config.ts': `import { defineConfig } from '@solidjs/start/config'
import symup from '@symup/unplugin/vite'

export default defineConfig({ vite: { plugins: [symup({ service: 'solid-start-1', version: '1.2.3' })] } })
`,
    },
    node: NODE_22,
    build: ['vinxi/bin/cli.mjs', 'build'],
    service: 'solid-start-1',
    keepsServerMaps: true,
  },
  PWA,
  INJECTED,
  { ...PWA, packages: MAJORS.pwa[1] },
  { ...INJECTED, packages: MAJORS.pwa[1] },
  {
    name: 'bulletproof',
    build: FOR_VITE,
    output: 'dist',
    deployed: '',
    statics: 'public',
    service: 'bulletproof',
    total: 'src/features/cart/total.ts',
    caller: 'src/app/routes/cart.tsx',
    extra: [['msw/lib/mockServiceWorker.js', 'mockServiceWorker.js']],
  },
]
