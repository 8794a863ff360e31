import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RsbuildPlugin, RsbuildPluginAPI } from '@rsbuild/core'
import type { Plugin } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { BUNDLERS, type Bundler } from './bundlers.ts'

const intake = useIntake()

/** Those that put the maps of all plugins together themselves. */
const ROLLUP_KIND = BUNDLERS.filter(({ name }) => ['vite', 'rollup', 'rolldown'].includes(name))

describe.each(ROLLUP_KIND)('a plugin that loses the map of a source, in $name', (bundler) => {
  it.each([
    ['an empty map', (code: string) => ({ code, map: { mappings: '' } }), 'a plugin'],
    ['no map', (code: string) => ({ code }), 'careless'],
    ['no map', (code: string) => code, 'careless'],
  ])('is reported where it returned %s: %#', async (_, made, named) => {
    using directory = temporaryOutput()
    const careless = {
      name: 'careless',
      transform: (code: string, id: string) =>
        id.endsWith('main.js') ? made(`globalThis.__checked = 1;\n${code}`) : undefined,
    }
    const options = optionsFor(intake, `careless-${bundler.name}`, { minifiedPathPrefix: BASE, git: false })
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { main: source('main.js') } }
    const output = await logged(() => bundler.build(request, [careless, bundler.plugin(options)]))
    expect(output).toContain(`${named} returned no map`)
    expect(output).toContain('warning map-incomplete')
  })
})

/** A component as compilers write them: no call in it has a name that a minifier leaves. */
const CARD = `import { h } from './h.js'
const shop = { class: 'shop' }
export default (props) => h('div', shop, [h('p', null, props.text), props.price ? h('b', null, props.price) : null])
`

describe.each(ROLLUP_KIND)('plugins whose maps do not fit each other, in $name', (bundler) => {
  it.each([true, false])('a script that all of its map is lost of by that is named: %s', async (isLost) => {
    using directory = temporaryOutput()
    const at = (file: string) => join(directory.path, file)
    writeFileSync(at('card.js'), CARD)
    writeFileSync(at('h.js'), 'export const h = (...all) => globalThis.document.body.replaceChildren(...all)\n')
    writeFileSync(at('main.js'), `import { h } from './h.js'\nh(import('./card.js'))\n`)
    // The second leads to lines that the first has nothing on.
    const maps = ['AAAA', 'AAKA'].map((first) => [first, ...Array<string>(200).fill('CAAC')].join(','))
    const rewriting = maps.map((mappings, index) => ({
      name: `rewriting${index}`,
      transform: (code: string, id: string) =>
        isLost && id.endsWith('card.js')
          ? { code, map: { version: 3, sources: [id], names: [], mappings } }
          : undefined,
    }))
    const options = optionsFor(intake, `blank-${bundler.name}`, { minifiedPathPrefix: BASE, git: false })
    const request = { root: directory.path, outDir: at('dist'), base: BASE, entries: { main: at('main.js') } }
    const output = await logged(() => bundler.build(request, [...rewriting, bundler.plugin(options)]))
    expect(/1 file does not: \S*card\.js \(a plugin returned no map\)/.test(output)).toBe(isLost)
    expect(output.includes('warning map-incomplete')).toBe(isLost)
  })
})

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

/** The maps of the others hold the text that a plugin was given, so that nothing tells of what it made of it. */
const CHANGING = ['vite', 'webpack', 'rspack', 'esbuild']

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
      const shown = /1 file does not: \S*pay\.[jt]s \(its (?:text in the map has other lines|code stands elsewhere)\)/
      if (isWrong) expect(output).toMatch(shown)
      else expect(output).toMatch(/\b(\d+) of \1 places in \d of your files resolve to the line/)
      expect(output.includes('warning map-stale')).toBe(isWrong)
      expect(/warning map-/.test(output)).toBe(isWrong)
    })
  },
)

describe('a loader that loses the map of a source', () => {
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
})
