import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { NODE_22 } from '../support/old-node.ts'
import { MAJORS, type Packages } from './majors.ts'

const require = createRequire(import.meta.url)

/** An app of `fixtures/frameworks`, and how it is built and served. */
export interface Framework {
  name: string
  /** Flag for the build command, if the same app is also built in another way. */
  flag?: string
  /** The build command's script and arguments: what `npm run build` would run. */
  build(directory: string): string[]
  /** The program that runs the build, inside the fixture. Default: Node. */
  program?: string
  /** The required Node version. Default: the version that runs the tests. */
  node?: string
  /** Other versions of the fixture's packages. A copy of the fixture is then built. */
  versions?: Packages
  /** Files that it has otherwise with these packages. */
  changes?: Readonly<Record<string, string>>
  /** A folder of `packages` that its own resolver must find inside the fixture. Default: none. */
  copied?: string
  /** The directory that a web server serves. */
  output: string
  base: string
  /** The directory of files that the build copies unchanged. Default: none. */
  statics?: string
  /** A second build reads most of its input from a cache. */
  caches?: true
  /** The fixture uses `injectRelease`. */
  release?: true
  /** Its scripts refer to their maps, even if those are deleted. */
  namesMaps?: true
  /** The component that calls `priceOf`, and the file of `priceOf`. */
  component: string
  price: string
}

/** The script of a package's command, whose path differs between versions. */
function commandOf(directory: string, name: string): string {
  const place = join(directory, 'node_modules', name)
  return join(place, JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).bin[name])
}

const vite = (name: string, component: string): Framework => ({
  name,
  build: () => [join(require.resolve('vite/package.json'), '../bin/vite.js'), 'build'],
  output: 'dist',
  statics: 'public',
  base: '/shop/',
  component,
  price: 'src/price.ts',
})

/** @param flag its other bundler; Turbopack is the default. */
const next = (flag?: '--webpack' | '--turbopack'): Framework => ({
  name: 'nextjs',
  ...(flag && { flag }),
  caches: true,
  statics: 'public',
  build: (directory) => [join(directory, 'node_modules/next/dist/bin/next'), 'build', ...(flag ? [flag] : [])],
  output: 'out',
  base: '/',
  component: 'app/page.tsx',
  price: 'app/price.ts',
})

const ASTRO: Framework = {
  name: 'astro',
  caches: true,
  statics: 'public',
  build: (directory) => [commandOf(directory, 'astro'), 'build'],
  output: 'dist',
  base: '/shop/',
  component: 'src/lib/cart.ts',
  price: 'src/lib/price.ts',
}

const NUXT: Framework = {
  name: 'nuxt',
  caches: true,
  statics: 'public',
  build: (directory) => [join(directory, 'node_modules/nuxt/bin/nuxt.mjs'), 'generate'],
  output: '.output/public',
  base: '/shop/',
  component: 'app/app.vue',
  price: 'app/utils/price.ts',
}

const SVELTEKIT: Framework = {
  name: 'sveltekit',
  statics: 'static',
  build: (directory) => [join(directory, 'node_modules/vite/bin/vite.js'), 'build'],
  output: 'build',
  base: '/shop/',
  component: 'src/routes/+page.svelte',
  price: 'src/lib/price.ts',
}

const ANGULAR: Framework = {
  name: 'angular',
  caches: true,
  node: NODE_22,
  copied: 'angular',
  release: true,
  build: (directory) => [join(directory, 'node_modules/@angular/cli/bin/ng.js'), 'build'],
  output: 'dist/angular/browser/de',
  base: '/shop/de/',
  component: 'src/app.ts',
  price: 'src/price.ts',
}

/** Builds for `majors.nightly.test.ts`: the newest major that needs a newer Node than the workspace, or the one before the fixture's. */
export const OTHER_MAJORS: Framework[] = [
  { ...ASTRO, node: NODE_22, versions: MAJORS.astro[7] },
  { ...ASTRO, node: NODE_22, versions: MAJORS.astro[6] },
  { ...NUXT, statics: 'app/public', versions: MAJORS.nuxt[3] },
  { ...next(), versions: MAJORS.nextjs[15] },
  { ...next('--turbopack'), versions: MAJORS.nextjs[15] },
  { ...ANGULAR, versions: MAJORS.angular[21] },
  {
    ...ANGULAR,
    versions: MAJORS.angular[20],
    // The last version that needs zone.js by default.
    changes: {
      'src/main.ts': `import { provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { App } from './app'

bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] }).catch((error) => console.error(error))
`,
    },
  },
]

/** Builds for `frameworks.world.test.ts`. */
export const FRAMEWORKS: Framework[] = [
  vite('react', 'src/app.tsx'),
  vite('vue', 'src/App.vue'),
  vite('svelte', 'src/App.svelte'),
  SVELTEKIT,
  ASTRO,
  NUXT,
  {
    name: 'farm',
    statics: 'public',
    namesMaps: true,
    build: (directory) => [join(directory, 'build.mjs')],
    output: 'dist',
    base: '/shop/',
    component: 'src/main.ts',
    price: 'src/price.ts',
  },
  {
    name: 'bun',
    // Bun's own package downloads its program in an install script; this is one of the packages that it chooses from.
    program: 'node_modules/@oven/bun-linux-x64-baseline/bin/bun',
    build: (directory) => [join(directory, 'build.mjs')],
    output: 'dist',
    base: '/shop/',
    component: 'src/main.ts',
    price: 'src/price.ts',
  },
  ANGULAR,
  next(),
  next('--webpack'),
]
