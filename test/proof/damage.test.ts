import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectJavaScript, prove } from '@symup/core'
import { build } from 'esbuild'
import { type Plugin, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-damage-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const CART = `export function total(items) {
  const list = [...items]
  if (list.length > 99) throw new RangeError('too many items in the cart')
  list.forEachItem((item) => window.showTotal(item))
  return list.computeSum()
}

export function discount(items, code) {
  const known = window.lookUpCode(code)
  if (!known) throw new TypeError('there is no such code')
  for (const item of items) item.reduceBy(known.percent)
  return items.filterExpensive(known.limit).computeSum() - known.applyTo(items)
}
`
const MODULES: Readonly<Record<string, string>> = {
  'main.js': `import { discount, total } from 'cart.js'
import { render } from 'view.js'
export function start(items) {
  document.title = render(total(items), discount(items, location.hash))
  import('lazy.js').then((lazy) => lazy.showMore(items))
}
`,
  'cart.js': CART,
  'view.js': `export function render(sum, off) {
  if (Number.isNaN(sum)) throw new RangeError('no sum')
  return sum.toFixed(2).padStartWith(off.toFixed(2))
}
`,
  'lazy.js': `export { total } from 'cart.js'
export function showMore(items) {
  if (!items) throw new Error('no items')
  return items.renderAll()
}
`,
}

/** Checks Rolldown's output for the modules, with a user's plugin. */
async function proofWith(plugin: Plugin, modules = MODULES) {
  const dist = mkdtempSync(join(directory, 'dist-'))
  const known: Plugin = {
    name: 'modules',
    resolveId: (id) => (modules[id] === undefined ? undefined : `/app/src/${id}`),
    load: (id) => modules[id.slice('/app/src/'.length)],
  }
  const bundle = await rolldown({ input: 'main.js', logLevel: 'silent', plugins: [known, plugin] })
  await bundle.write({ dir: dist, sourcemap: true, minify: true })
  await bundle.close()
  return proofOf(dist)
}

async function proofOf(dist: string) {
  const where = { directory: dist, service: 's', version: '1', minifiedPathPrefix: '/', toolVersion: '0' }
  const plan = await collectJavaScript(where)
  const proof = await prove(plan.uploads, { cwd: dist })
  const problems = [...plan.problems, ...proof.problems].filter(({ severity }) => severity !== 'info')
  return { ...proof, problems }
}

const transformCart = (map: (code: string) => object | null): Plugin => ({
  name: 'user',
  transform: (code, id) => (id.endsWith('cart.js') ? { code: `${code}\n`, map: map(code) as never } : undefined),
})

describe('a plugin that transforms one module', () => {
  it('lets every position resolve if the plugin returns its map', async () => {
    const { problems, positions, resolved } = await proofWith(transformCart(() => null))
    expect(problems).toEqual([])
    expect(resolved).toBe(positions)
  })

  it('causes a report about unmapped code, which does not count as resolved, if the plugin returns an empty map', async () => {
    const { problems, positions, resolved } = await proofWith(transformCart(() => ({ mappings: '' })))
    expect(problems.map(({ code }) => code)).toEqual(['map-incomplete'])
    expect(resolved).toBeLessThan(positions)
  })

  it('causes a report about a coarse source if the plugin returns a map with one segment', async () => {
    const preprocessor: Plugin = {
      name: 'user',
      transform: (code, id) =>
        id.endsWith('cart.js')
          ? {
              code: code.replaceAll('\n', ';'),
              map: { version: 3, sources: ['cart.js'], sourcesContent: [CART], names: [], mappings: 'AAAA' },
            }
          : undefined,
    }
    const { problems, positions, resolved } = await proofWith(preprocessor)
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('cart.js') }])
    expect(resolved).toBeLessThan(positions)
  })
})

describe('false alarms', () => {
  async function proofOfEsbuild(contents: string) {
    const dist = mkdtempSync(join(directory, 'dist-'))
    const stdin = { contents, sourcefile: 'src/main.js', resolveDir: directory }
    await build({ stdin, bundle: true, minify: true, format: 'esm', sourcemap: true, outfile: join(dist, 'app.js') })
    return proofOf(dist)
  }

  it('raises no alarm for a script that consists of one JSON text', async () => {
    const rules = Array.from({ length: 400 }, (_, index) => ({
      match: `.showRule${index} (`,
      begin: '=> throw new function',
    }))
    const text = JSON.stringify({ rules }).replaceAll('\\', '\\\\')
    const { problems, positions, resolved } = await proofOfEsbuild(
      `const grammar = Object.freeze(JSON.parse(\`${text}\`))\nexport default [grammar]\n`,
    )
    expect(problems).toEqual([])
    expect(resolved).toBe(positions)
  })

  it('raises no alarm for a script whose generated data differs from its source', async () => {
    const dist = mkdtempSync(join(directory, 'dist-'))
    const data = Array.from({ length: 100 }, (_, index) => `.drawShape${index} (x)`).join(' ')
    writeFileSync(join(dist, 'app.js'), `const e=JSON.parse(\`"${data}"\`);export{e as default};\n`)
    const map = { version: 3, sources: ['a.json'], sourcesContent: ['generated'], names: [], mappings: 'AAAA,QAAA' }
    writeFileSync(join(dist, 'app.js.map'), JSON.stringify(map))
    const { problems, positions, resolved } = await proofOf(dist)
    expect(problems.filter(({ code }) => code.startsWith('map-'))).toEqual([])
    expect(resolved).toBe(positions)
  })

  it('raises no alarm for scripts without code of their own', async () => {
    const dist = mkdtempSync(join(directory, 'dist-'))
    writeFileSync(join(dist, 'again.js'), `import{a as e,t}from"./app.js";export{e as one,t as two};\n`)
    writeFileSync(join(dist, 'all.js'), `export*from"./app.js";export{default}from"./app.js";\n/* made by a tool */\n`)
    writeFileSync(
      join(dist, '_buildManifest.js'),
      `self.__BUILD_MANIFEST={pages:["/a"]},self.__BUILD_MANIFEST_CB&&self.__BUILD_MANIFEST_CB()`,
    )
    writeFileSync(join(dist, 'code.js'), `export function a(){throw new Error("x")}`)
    const map = { version: 3, sources: ['app.ts'], sourcesContent: ['fail()'], names: [], mappings: 'AAAA' }
    writeFileSync(join(dist, 'app.js'), 'fail()\n')
    writeFileSync(join(dist, 'app.js.map'), JSON.stringify(map))
    const { problems } = await proofOf(dist)
    expect(problems.filter(({ code }) => code === 'no-map').map(({ file }) => file)).toEqual(['code.js'])
  })

  it('raises no alarm for the exports of a module, which a bundler maps to its first line', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `makeThing${index}`)
    writeFileSync(
      join(directory, 'things.mjs'),
      names.map((name) => `export const ${name} = (a) => a.openNow()\n`).join(''),
    )
    writeFileSync(join(directory, 'all.cjs'), `module.exports = require('./things.mjs')\n`)
    const calls = names.map((name) => `${name}(items)`).join(' + ')
    const own = names.slice(0, 6).map((name) => `items.${name}Too(1)`)
    const { problems } = await proofOfEsbuild(
      `import { ${names} } from './all.cjs'\nexport const run = (items) => ${calls}\nexport const more = (items) => [${own}]\n`,
    )
    expect(problems).toEqual([])
  })

  it('raises no alarm for code with which a compiler re-exports names', async () => {
    const dist = mkdtempSync(join(directory, 'dist-'))
    const lines = Array.from(
      { length: 12 },
      (_, index) => `Object.keys(a${index}).forEach(function(e){r[e]=a${index}[e]});`,
    )
    const sourcesContent = [lines.map((_, index) => `export * from './a${index}'\n`).join('')]
    writeFileSync(join(dist, 'app.js'), `${lines.join('\n')}\n`)
    // The map has one mapping per statement, like Babel's for `export *`.
    const mappings = lines.map((_, index) => `${index === 0 ? 'AAAA' : 'AACA'},OAAA,KAAA,IAAA,QAAA`).join(';')
    writeFileSync(
      join(dist, 'app.js.map'),
      JSON.stringify({ version: 3, sources: ['src/index.js'], sourcesContent, names: [], mappings }),
    )
    const { problems } = await proofOf(dist)
    expect(problems.filter(({ code }) => code.startsWith('map-'))).toEqual([])
  })

  it('raises no alarm for code that the bundler itself adds', async () => {
    const { problems } = await proofOfEsbuild(
      `const a = require('./cjs.cjs')\nexport const run = async () => (await import('./esm.mjs')).start(a.makeCart())\n`,
    )
    expect(problems).toEqual([])
  })

  beforeAll(() => {
    writeFileSync(join(directory, 'cjs.cjs'), `exports.makeCart = () => { throw new Error(__filename) }\n`)
    writeFileSync(join(directory, 'esm.mjs'), `export const start = (cart) => cart.openNow(cart.findFirst())\n`)
  })
})

it('rejects a map with hostile numbers and gives a reason', async () => {
  const dist = mkdtempSync(join(directory, 'dist-'))
  await build({ stdin: { contents: CART }, minify: true, sourcemap: true, outfile: join(dist, 'app.js') })
  const map = JSON.parse(readFileSync(join(dist, 'app.js.map'), 'utf8'))
  for (const [fields, why] of [
    [{ names: [1, 2, 3] }, 'The `names` array in the source map contains an entry that is not a string.'],
    [{ sources: [] }, 'The mappings refer to the source index 0, but the source map has only 0 sources.'],
    [
      { sections: [{ offset: { line: 4e9, column: 0 }, map }] },
      'The offset of a section in the source map is missing or out of range.',
    ],
    [{ mappings: 'AADA' }, 'The mappings point to a negative position.'],
  ] as const) {
    writeFileSync(join(dist, 'app.js.map'), JSON.stringify({ ...map, ...fields }))
    const { problems } = await proofOf(dist)
    expect(problems).toMatchObject([{ code: 'map-invalid', message: expect.stringContaining(why) }])
  }
})
