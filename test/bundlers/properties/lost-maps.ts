import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RsbuildPlugin, RsbuildPluginAPI } from '@rsbuild/core'
import type { TestIntake } from '@symup/intake/testing'
import type { Plugin } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { logged } from '../../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from '../bundle.ts'
import type { Bundler } from '../bundlers.ts'
import { newService } from './build.ts'

const CHANGED = 'globalThis.__checked = 1;\n'
const EMPTY = { version: 3, sources: ['main.js'], names: [], mappings: '' }

/** Bundlers that compose the maps of all plugins themselves. */
const isRollupLike = ({ name }: Bundler) => ['vite', 'rollup', 'rolldown'].includes(name)

/** In Rollup's and Rolldown's source maps, the text is the plugin's input, so its changes are invisible. */
const CHANGING = ['vite', 'webpack', 'rspack', 'esbuild']

/** Finds the plugin or loader that lost or falsified the map of a source. */
export function losesMaps(bundler: Bundler, intake: TestIntake): void {
  if (bundler.name !== 'esbuild')
    describe('a plugin or loader that loses the map of a source', () => {
      if (isRollupLike(bundler)) {
        returnsNoMap(bundler, intake)
        passesLostMap(bundler, intake)
      } else {
        returnsEmptyMap(bundler, intake)
      }
    })
  if (CHANGING.includes(bundler.name)) removesPrints(bundler, intake)
}

/** The output of a build that changes its entry, `main.js`, with the result of `changed`. */
async function outputOf(
  bundler: Bundler,
  intake: TestIntake,
  changed: (plugin: unknown, directory: string) => unknown,
) {
  using directory = temporaryOutput()
  const plugin = bundler.plugin(optionsFor(intake, newService('lost'), { minifiedPathPrefix: BASE, git: false }))
  const outDir = join(directory.path, 'dist')
  const request = { root: WEB_APP, outDir, base: BASE, entries: { main: source('main.js') } }
  return await logged(() => bundler.build(request, changed(plugin, directory.path)))
}

function returnsNoMap(bundler: Bundler, intake: TestIntake) {
  it.each([
    ['an empty map', (code: string) => ({ code, map: { mappings: '' } }), 'a plugin'],
    ['no map', (code: string) => code, 'careless'],
  ])('is reported if it returned %s', async (_, made, named) => {
    const transform = (code: string, id: string) => (id.endsWith('main.js') ? made(CHANGED + code) : undefined)
    const output = await outputOf(bundler, intake, (plugin) => [{ name: 'careless', transform }, plugin])
    expect(output).toContain(`${named} returned no source map`)
    expect(output).toMatch(/1 of \d+ source files does not resolve: \S*main\.js \(/)
    expect(output).toContain('warning map-incomplete')
  })
}

/** Compiler output for a component. No call in it has a name that a minifier keeps. */
const CARD = `import { h } from './h.js'
const shop = { class: 'shop' }
export default (props) => h('div', shop, [h('p', null, props.text), props.price ? h('b', null, props.price) : null])
`

function passesLostMap(bundler: Bundler, intake: TestIntake) {
  it.each([true, false])('names a script that has no mapping for that reason: %s', async (isLost) => {
    using directory = temporaryOutput()
    const at = (file: string) => join(directory.path, file)
    writeFileSync(at('card.js'), CARD)
    writeFileSync(at('h.js'), 'export const h = (...all) => globalThis.document.body.replaceChildren(...all)\n')
    writeFileSync(at('main.js'), `import { h } from './h.js'\nh(import('./card.js'))\n`)
    // The second map points to lines for which the first map has no mappings.
    const maps = ['AAAA', 'AAKA'].map((first) => [first, ...Array<string>(200).fill('CAAC')].join(','))
    const rewriting = maps.map((mappings, index) => ({
      name: `rewriting${index}`,
      transform: (code: string, id: string) =>
        isLost && id.endsWith('card.js')
          ? { code, map: { version: 3, sources: [id], names: [], mappings } }
          : undefined,
    }))
    const options = optionsFor(intake, newService('blank'), { minifiedPathPrefix: BASE, git: false })
    const request = { root: directory.path, outDir: at('dist'), base: BASE, entries: { main: at('main.js') } }
    const output = await logged(() => bundler.build(request, [...rewriting, bundler.plugin(options)]))
    expect(/1 of \d+ source files does not resolve: \S*card\.js \(a plugin returned no source map\)/.test(output)).toBe(
      isLost,
    )
    expect(output.includes('warning map-incomplete')).toBe(isLost)
  })
}

function returnsEmptyMap(bundler: Bundler, intake: TestIntake) {
  it.each([
    ['calls back', `this.callback(null, CHANGED + code, EMPTY)`],
    ['calls back later', `const done = this.async(); setImmediate(() => done(null, CHANGED + code, EMPTY))`],
  ])('is named if it %s', async (_, body) => {
    const output = await outputOf(bundler, intake, (plugin, directory) => {
      const loader = join(directory, 'careless.cjs')
      const names = `const CHANGED = ${JSON.stringify(CHANGED)}, EMPTY = ${JSON.stringify(EMPTY)}`
      writeFileSync(loader, `${names}\nmodule.exports = function (code) { ${body} }\n`)
      return withLoader(bundler, plugin, { test: /main\.js$/, loader })
    })
    expect(output).toContain('careless.cjs returned an empty source map')
    expect(output).toMatch(/1 of \d+ source files does not resolve: \S*main\.js \(/)
    expect(output).toContain('warning map-incomplete')
  })
}

/** The plugin for webpack, Rspack or Rsbuild, which also adds a loader. */
function withLoader(bundler: Bundler, plugin: unknown, rule: { test: RegExp; loader: string }): unknown {
  if (bundler.name === 'rsbuild') {
    const { setup, ...more } = plugin as RsbuildPlugin
    return {
      ...more,
      setup(api: RsbuildPluginAPI) {
        api.modifyRspackConfig((_, { addRules }) => addRules(rule))
        return setup(api)
      },
    }
  }
  return {
    apply(compiler: { options: { module: { rules: object[] } } }) {
      compiler.options.module.rules.push(rule)
      ;(plugin as { apply(compiler: object): void }).apply(compiler)
    },
  }
}

/** Two small functions. Without the lines that print, only one throw and one call are on other lines. */
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
const MAIN = (pay: string) => `import { pay, refund } from './${pay}'
document.body.addEventListener('click', () => pay(innerWidth))
document.body.addEventListener('keyup', () => refund(innerWidth))
`
const PRINTS = /^ *console\.log\(.*\n/gm

/** Our plugin, and another plugin or loader that removes the printing lines and returns no map. */
function withCareless(bundler: Bundler, plugin: unknown, directory: string, file: string, left: string): unknown {
  const change = (code: string) => code.replace(PRINTS, left)
  const test = new RegExp(`${file}$`)
  if (bundler.name === 'esbuild') {
    const careless: Plugin = {
      name: 'careless',
      setup: ({ onLoad }) => onLoad({ filter: test }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')) })),
    }
    return [plugin, careless]
  }
  if (isRollupLike(bundler)) {
    const transform = (code: string, id: string) => (id.endsWith(file) ? { code: change(code), map: null } : undefined)
    return [{ name: 'careless', enforce: 'pre', transform }, plugin]
  }
  const loader = join(directory, 'careless.cjs')
  writeFileSync(loader, `module.exports = (code) => code.replace(${PRINTS}, ${JSON.stringify(left)})\n`)
  return withLoader(bundler, plugin, { test, loader })
}

function removesPrints(bundler: Bundler, intake: TestIntake) {
  it.each([
    ['with its lines', '', true],
    ['and keeps the lines', '\n', false],
  ])('finds a plugin or loader that removes what prints from a small source %s', async (_, left, isWrong) => {
    using directory = temporaryOutput()
    const at = (file: string) => join(directory.path, file)
    // Vite compiles TypeScript after the plugin, so its map contains the plugin's text instead of the file's.
    const pay = bundler.name === 'vite' ? 'pay.ts' : 'pay.js'
    writeFileSync(at(pay), PAY)
    writeFileSync(at('send.js'), 'export const send = { transfer: (amount) => globalThis.fetch(amount) }\n')
    writeFileSync(at('main.js'), MAIN(pay))
    const options = optionsFor(intake, newService('moved'), { minifiedPathPrefix: BASE, git: false })
    const request = { root: directory.path, outDir: at('dist'), base: BASE, entries: { main: at('main.js') } }
    const plugins = withCareless(bundler, bundler.plugin(options), directory.path, pay, left)
    const output = await logged(() => bundler.build(request, plugins))
    const shown =
      /1 of \d+ source files does not resolve: \S*pay\.[jt]s \(the (?:text in the source map has different lines|code does not match the source map)\)/
    if (isWrong) expect(output).toMatch(shown)
    else expect(output).toMatch(/\b(\d+) of \1 positions in \d of your source files resolve to the right line/)
    expect(output.includes('warning map-stale')).toBe(isWrong)
    expect(/warning map-/.test(output)).toBe(isWrong)
  })
}
