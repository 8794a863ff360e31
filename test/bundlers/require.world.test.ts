import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'

const UNPLUGIN = join(ROOT, 'packages/unplugin')

const { exports } = JSON.parse(readFileSync(join(UNPLUGIN, 'package.json'), 'utf8')) as { exports: object }
const entries = Object.keys(exports).filter((path) => path !== './package.json')

let directory: string
beforeAll(async () => {
  // Users get the compiled package. The TypeScript that tests run contains no `require()`.
  await buildPackages()
  directory = mkdtempSync(join(UNPLUGIN, 'dist-require-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

it('exports an entry for every bundler, and for frameworks', () => {
  const bundlers = ['bun', 'esbuild', 'farm', 'rolldown', 'rollup', 'rsbuild', 'rspack', 'vite', 'webpack']
  const frameworks = ['angular', 'astro', 'metro', 'next', 'nuxt', 'parcel']
  expect(entries).toEqual([...bundlers, ...frameworks].sort().map((name) => `./${name}`))
})

/** Bun and Nuxt call these plugins themselves. */
const CALLED_BY_A_TOOL = ['./bun', './nuxt']

/** @symup/angular turns one of these into a builder, and @symup/parcel-reporter turns the other into a reporter. */
const NO_PLUGIN = ['./angular', './parcel']

it.each(entries.filter((entry) => !NO_PLUGIN.includes(entry)))(
  'returns the plugin function to a CommonJS config from require(%j)',
  (entry) => {
    const config = join(directory, `${entry.slice(2)}.config.cjs`)
    writeFileSync(
      config,
      `const plugin = require('@symup/unplugin/${entry.slice(2)}')
console.log(typeof plugin)
if (${!CALLED_BY_A_TOOL.includes(entry)}) console.log(typeof plugin({ enabled: false }))`,
    )
    const output = execFileSync(process.execPath, [config], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    expect(output.split('\n')).toEqual(['function', ...(CALLED_BY_A_TOOL.includes(entry) ? [] : ['object']), ''])
  },
)

it.each([
  ['angular', 'symupAngular'],
  ['astro', 'symupAstro'],
  ['metro', 'withSymup'],
  ['next', 'withSymup'],
  ['nuxt', 'symupNuxt'],
  ['parcel', 'symupParcel'],
])('exports the wrapper for %s as %s and as the default, for import and require()', (name, wrapper) => {
  const script = join(directory, `${name}.named.cjs`)
  writeFileSync(
    script,
    `const { ${wrapper}, default: usual } = require('@symup/unplugin/${name}')
import('@symup/unplugin/${name}').then((it) => console.log(typeof usual, [${wrapper}, it.default, it.${wrapper}].every((one) => one === usual)))`,
  )
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('function true\n')
})

it('returns the uni-app plugin to a CommonJS config, which its templates have', () => {
  const directory = mkdtempSync(join(ROOT, 'packages/mini-program/dist-require-'))
  try {
    const config = join(directory, 'vite.config.cjs')
    writeFileSync(
      config,
      `const plugin = require('@symup/mini-program/uni-app')
console.log(require.resolve('@symup/mini-program/uni-app').endsWith('.cjs'), plugin({}).name, plugin.default === plugin && plugin.symupUniApp === plugin)`,
    )
    const output = execFileSync(process.execPath, [config], { encoding: 'utf8' })
    expect(output).toBe('true symup:uni-app true\n')
  } finally {
    rmSync(directory, { recursive: true })
  }
})
