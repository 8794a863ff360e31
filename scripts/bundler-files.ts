import type { Bundler } from '../packages/unplugin/src/bundlers/bundler.ts'
import * as bundlers from '../packages/unplugin/src/bundlers/index.ts'

/** Frameworks for which the bundler plugin is not sufficient. Each framework has a file of the same name in `src/frameworks`. */
const FRAMEWORKS = {
  angular: 'symupAngular',
  astro: 'symupAstro',
  metro: 'withSymup',
  next: 'withSymup',
  nuxt: 'symupNuxt',
  parcel: 'symupParcel',
} as const

const AS_MODULE =
  'The export that `require()` returns. Omitted from the declarations, because TypeScript versions before 5.6 cannot parse it.'

/** Returns the entry points of the package. File names are relative to `packages/unplugin/src`. */
export function bundlerEntries(): Record<string, string> {
  const list: [string, Pick<Bundler<never, unknown>, 'label'>][] = Object.entries(bundlers)
  return Object.fromEntries([
    ...list.map(([name, { label }]) => [`${name}.ts`, entryOf(name, label)]),
    ...Object.entries(FRAMEWORKS).map(([name, exported]) => [`${name}.ts`, frameworkEntryOf(name, exported)]),
  ])
}

function frameworkEntryOf(name: string, exported: string): string {
  return `// Generated from scripts/bundler-files.ts by npm run docs
import { ${exported} } from './frameworks/${name}.ts'

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export { ${exported} }
export default ${exported}
/** @internal ${AS_MODULE} */
export { ${exported} as 'module.exports' }
`
}

function entryOf(name: string, label: string): string {
  return `// Generated from packages/unplugin/src/bundlers/index.ts by npm run docs
import { ${name} } from './bundlers/${name}.ts'
import { pluginFor } from './plugin.ts'

/** The plugin for ${label}. All options may also be set in \`symup.json\` or the environment. */
const plugin = pluginFor(${name})

export type { FileOutput, OnError, SymupOptions, Verdict } from './options.ts'
export default plugin
/** @internal ${AS_MODULE} */
export { plugin as 'module.exports' }
`
}

export function withBundlerExports(manifest: string): string {
  const parsed = JSON.parse(manifest)
  const own = [...Object.keys(bundlers), ...Object.keys(FRAMEWORKS)].sort().map((name) => [
    `./${name}`,
    {
      'symup-source': `./src/${name}.ts`,
      import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
      require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
    },
  ])
  parsed.exports = { ...Object.fromEntries(own), './package.json': './package.json' }
  return `${JSON.stringify(parsed, null, 2)}\n`
}
