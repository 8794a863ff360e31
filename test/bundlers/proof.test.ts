import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RsbuildPlugin, RsbuildPluginAPI } from '@rsbuild/core'
import { type Intake, startIntake } from '@symup/intake'
import type { SymupOptions } from '@symup/unplugin/vite'
import type { Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { BASE, filesBelow, logged, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS, type Bundler } from './bundlers.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake()
})
afterAll(async () => {
  await intake.close()
})

/** This workspace's commit; it may also be tested where it is not a checkout. */
const checkedOut = (() => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
})()

let builds = 0

/** Builds the split app with hashed names; what was written, sent and said. */
async function build(bundler: Bundler, more: SymupOptions, maps: 'hidden' | 'linked' = 'hidden') {
  using directory = temporaryOutput()
  const outDir = directory.path
  const service = `proof-${bundler.name}-${++builds}`
  const plugin = bundler.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE, ...more }))
  const entries = {
    main: source('main.js'),
    ...(bundler.lacks.worker !== undefined && { worker: source('worker.js') }),
  }
  const request = { root: WEB_APP, outDir, base: BASE, entries, hashed: true, maps }
  let failure: Error | undefined
  const output = await logged(() => bundler.build(request, plugin).catch((error) => (failure = error as Error)))
  const files = Object.fromEntries(filesBelow(outDir).map((file) => [file, readFileSync(join(outDir, file), 'latin1')]))
  return { files, output, failure, uploaded: await uploadedOf(intake, service) }
}

describe.each(BUNDLERS)('$name $version', (bundler) => {
  it('proves that places resolve, before it sends, and says which commit was built', async () => {
    const { output, uploaded } = await build(bundler, {})
    expect(uploaded.length).toBeGreaterThan(0)
    for (const { event } of uploaded) if (checkedOut) expect(event).toMatchObject({ git_commit_sha: checkedOut })
    expect(output).toMatch(/\b(\d{2,}) of \1 places in \d+ of your files resolve to the line \(\d+ scripts\)/)
    expect(output.search('resolve to the line')).toBeLessThan(output.search('Uploaded'))
    expect(output).not.toMatch(/warning (map|sources|leak)-/)
  })

  it('writes debug ids that neither version nor service nor time decide, and sends them', async () => {
    const one = await build(bundler, { debugIds: true, version: '1.0.0' })
    const two = await build(bundler, { debugIds: true, version: '2.0.0' })
    expect(two.files).toEqual(one.files)
    expect(one.uploaded.length).toBeGreaterThanOrEqual(4)
    const ids = one.uploaded.map(({ event, script, map }) => {
      expect(script).toContain(`//# debugId=${event.debug_id}`)
      expect(map).toMatchObject({ debugId: event.debug_id })
      return event.debug_id
    })
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('fails with failOnFindings when maps stay, and passes when they are deleted', async () => {
    const kept = await build(bundler, { failOnFindings: true, deleteAfterUpload: false, git: false })
    expect(String(kept.failure)).toContain('must not ship')
    expect(kept.output).toMatch(/source map +\S+\.js\.map/)
    const deleted = await build(bundler, { failOnFindings: true, deleteAfterUpload: true, git: false })
    expect(deleted.failure).toBeUndefined()
    expect(Object.keys(deleted.files).filter((file) => file.endsWith('.map'))).toEqual([])
  })
})

describe.each(BUNDLERS.filter(({ name }) => ['vite', 'rollup', 'rolldown'].includes(name)))(
  'a plugin that loses the map of a source, in $name',
  (bundler) => {
    it.each([
      ['an empty map', (code: string) => ({ code, map: { mappings: '' } })],
      ['no map', (code: string) => ({ code })],
      ['no map', (code: string) => code],
    ])('is named where it returned %s: %#', async (what, made) => {
      using directory = temporaryOutput()
      const careless = {
        name: 'careless',
        transform: (code: string, id: string) =>
          id.endsWith('main.js') ? made(`globalThis.__checked = 1;\n${code}`) : undefined,
      }
      const options = optionsFor(intake, `careless-${bundler.name}`, { minifiedPathPrefix: BASE, git: false })
      const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { main: source('main.js') } }
      const output = await logged(() => bundler.build(request, [careless, bundler.plugin(options)]))
      expect(output).toContain(`careless returned ${what}`)
      expect(output).toContain('warning map-incomplete')
    })
  },
)

/** Two small functions: only one throw and one call of them stand on other lines when those that print are gone. */
const PAY = `import { send } from './send.js'
export function pay(amount) {
  console.log('paying')
  if (amount > 5) {
    throw new Error(text(amount))
  }
}
export function refund(amount) {
  console.log('refund')
  send.transfer(amount)
}
const text = (amount) => 'no ' + amount
`

const PRINTS = /^ *console\.log\(.*\n/gm

/** What changes a file and gives no map, with our plugin, as a bundler takes them. */
function carelessWith(name: string, plugin: unknown, directory: string, file: string, left: string): unknown {
  const change = (code: string) => code.replace(PRINTS, left)
  if (name === 'esbuild') {
    const careless: Plugin = {
      name: 'careless',
      setup: ({ onLoad }) =>
        onLoad({ filter: new RegExp(`${file}$`) }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')) })),
    }
    return [plugin, careless]
  }
  if (name !== 'webpack' && name !== 'rspack') {
    const transform = (code: string, id: string) => (id.endsWith(file) ? { code: change(code), map: null } : undefined)
    return [{ name: 'careless', enforce: 'pre', transform }, plugin]
  }
  const loader = join(directory, 'careless.cjs')
  writeFileSync(loader, `module.exports = (code) => code.replace(${PRINTS}, ${JSON.stringify(left)})\n`)
  return {
    apply(compiler: { options: { module: { rules: object[] } } }) {
      compiler.options.module.rules.push({ test: new RegExp(`${file}$`), loader })
      ;(plugin as { apply(compiler: object): void }).apply(compiler)
    },
  }
}

const CHANGING = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild']

describe.each(BUNDLERS.filter(({ name }) => CHANGING.includes(name)))(
  'a plugin or loader that removes what prints from a small source, in $name',
  (bundler) => {
    it.each([
      ['with its lines', '', true],
      ['and keeps the lines', '\n', false],
    ])('%s', async (_, left, isWrong) => {
      using directory = temporaryOutput()
      const at = (file: string) => join(directory.path, file)
      // Vite compiles TypeScript behind the plugin: its map then holds the plugin's text, not the file's.
      const pay = bundler.name === 'vite' ? 'pay.ts' : 'pay.js'
      writeFileSync(at(pay), PAY)
      writeFileSync(at('send.js'), 'export const send = { transfer: (amount) => globalThis.fetch(amount) }\n')
      writeFileSync(
        at('main.js'),
        `import { pay, refund } from './${pay}'\ndocument.body.addEventListener('click', () => pay(innerWidth))\ndocument.body.addEventListener('keyup', () => refund(innerWidth))\n`,
      )
      const options = optionsFor(intake, `moved-${bundler.name}`, { minifiedPathPrefix: BASE, git: false })
      const request = { root: directory.path, outDir: at('dist'), base: BASE, entries: { main: at('main.js') } }
      const plugins = carelessWith(bundler.name, bundler.plugin(options), directory.path, pay, left)
      const output = await logged(() => bundler.build(request, plugins))
      const shown = /1 file does not: \S*pay\.[jt]s \(careless(?:\.cjs)? returned no map\)/
      if (isWrong) expect(output).toMatch(shown)
      else expect(output).toMatch(/\b(\d+) of \1 places in \d of your files resolve to the line/)
      expect(output.includes('warning map-stale')).toBe(isWrong)
      expect(/warning map-/.test(output)).toBe(isWrong)
    })
  },
)

describe('a loader or plugin that loses the map of a source', () => {
  const CHANGED = 'globalThis.__checked = 1;\n'
  const EMPTY = { version: 3, sources: ['main.js'], names: [], mappings: '' }

  /** What the build says of main.js, whose map is lost by what `withLoss` puts beside the plugin. */
  async function outputOf(name: string, withLoss: (directory: string, plugin: unknown) => unknown): Promise<string> {
    using directory = temporaryOutput()
    const bundler = BUNDLERS.find((one) => one.name === name) as Bundler
    const plugin = bundler.plugin(optionsFor(intake, `lost-${name}`, { minifiedPathPrefix: BASE, git: false }))
    const outDir = join(directory.path, 'dist')
    const request = { root: WEB_APP, outDir, base: BASE, entries: { main: source('main.js') } }
    return await logged(() => bundler.build(request, withLoss(directory.path, plugin)))
  }

  it.each([
    ['webpack', 'calls back', `this.callback(null, CHANGED + code, EMPTY)`],
    ['webpack', 'calls back later', `const done = this.async(); setImmediate(() => done(null, CHANGED + code, EMPTY))`],
    ['rspack', 'calls back', `this.callback(null, CHANGED + code, EMPTY)`],
    ['rsbuild', 'calls back', `this.callback(null, CHANGED + code, EMPTY)`],
  ])('in %s, where it %s, is named', async (name, _, body) => {
    const output = await outputOf(name, (directory, plugin) => {
      const loader = join(directory, 'careless.cjs')
      const names = `const CHANGED = ${JSON.stringify(CHANGED)}, EMPTY = ${JSON.stringify(EMPTY)}`
      writeFileSync(loader, `${names}\nmodule.exports = function (code) { ${body} }\n`)
      if (name === 'rsbuild') {
        const { setup, ...more } = plugin as RsbuildPlugin
        return {
          ...more,
          setup(api: RsbuildPluginAPI) {
            api.modifyRspackConfig((_, { addRules }) => addRules({ test: /main\.js$/, loader }))
            return setup(api)
          },
        }
      }
      return {
        apply(compiler: { options: { module: { rules: object[] } } }) {
          compiler.options.module.rules.push({ test: /main\.js$/, loader })
          ;(plugin as { apply(compiler: object): void }).apply(compiler)
        },
      }
    })
    expect(output).toContain('careless.cjs returned an empty map')
    expect(output).toContain('warning map-incomplete')
  })

  it('in esbuild is named', async () => {
    const careless: Plugin = {
      name: 'careless',
      setup: ({ onLoad }) =>
        onLoad({ filter: /main\.js$/ }, ({ path }) => {
          const code = readFileSync(path, 'utf8')
          // esbuild passes over a map without any mapping.
          const map = btoa(JSON.stringify({ ...EMPTY, sourcesContent: [code], mappings: 'AAAA' }))
          return { contents: `${CHANGED}${code}\n//# sourceMappingURL=data:application/json;base64,${map}` }
        }),
    }
    const output = await outputOf('esbuild', (_, plugin) => [plugin, careless])
    expect(output).toContain('careless returned a coarse map')
  })
})

it('says no commit when told not to', async () => {
  const vite = BUNDLERS.find(({ name }) => name === 'vite') as Bundler
  const { uploaded } = await build(vite, { git: false })
  for (const { event } of uploaded) expect(event).not.toHaveProperty('git_commit_sha')
})

describe('strict', () => {
  const vite = BUNDLERS.find(({ name }) => name === 'vite') as Bundler

  /** A plugin that puts a banner before what has been written, as a script after the build would. */
  async function buildWithBanner(options: SymupOptions) {
    using directory = temporaryOutput()
    const service = `banner-${++builds}`
    const banner = {
      name: 'banner',
      writeBundle({ dir }: { dir: string }, bundle: Record<string, { type: string }>) {
        for (const [file, { type }] of Object.entries(bundle)) {
          const path = join(dir, file)
          if (type === 'chunk') writeFileSync(path, `/* built by me */\n${readFileSync(path, 'utf8')}`)
        }
      },
    }
    const plugin = vite.plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...options }))
    let failure: Error | undefined
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { main: source('main.js') } }
    const output = await logged(() =>
      vite.build(request, [banner, plugin]).catch((error) => (failure = error as Error)),
    )
    return { output, failure, uploaded: await uploadedOf(intake, service) }
  }

  it('a banner that the map does not count is a warning', async () => {
    const { output, failure, uploaded } = await buildWithBanner({ onError: 'warn' })
    expect(failure).toBeUndefined()
    expect(output).toMatch(/warning map-offset: .*1 line further down/s)
    expect(uploaded.length).toBeGreaterThan(0)
  })

  it.each(['failOnFindings', 'strict'])('and with %s fails the build before anything is sent', async (option) => {
    const { output, failure, uploaded } = await buildWithBanner({ [option]: true })
    expect(output).toContain('error map-offset')
    expect(String(failure)).toBe('SymupError: Some stacks would not resolve, so nothing was uploaded.')
    expect(uploaded).toEqual([])
  })

  it('the API key in what was built fails it, and is not printed', async () => {
    using directory = temporaryOutput()
    const key = {
      name: 'key',
      // Without `map: null` the whole chunk would lose its mappings, and the proof would fail the build first.
      renderChunk: (code: string) => ({
        code: `${code}\nconsole.debug(${JSON.stringify(Buffer.from('x:dev-api-key').toString('base64'))})`,
        map: null,
      }),
    }
    const options = optionsFor(intake, 'leak', { minifiedPathPrefix: BASE, strict: true, git: false })
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { single: source('single.js') } }
    let failure: Error | undefined
    const output = await logged(() =>
      vite.build(request, [key, vite.plugin(options)]).catch((error) => (failure = error)),
    )
    expect(String(failure)).toMatch(/the API key is in \S+single\.js: do not deploy it/)
    expect(output).toMatch(/API key +\S+single\.js +It contains the API key, as base64/)
    expect(output + failure).not.toContain('dev-api-key')
  })
})
