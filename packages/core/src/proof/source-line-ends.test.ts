import { type Plugin, rollup } from 'rollup'
import { minify } from 'terser'
import { describe, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { proveScript } from './prove-script.ts'

/** The source ends with functions, whose lines would shift with each of the line ends above. */
const sourceOf = (head: string) => `${head}
${Array.from(
  { length: 8 },
  (_, nth) => `export function total${nth}(items) {
  const known = items.lookUp${nth}('code ${nth}')
  if (!known) throw new TypeError('there is no code ${nth}')
  return known.applyTo${nth}(items, { limit${nth}: 3 }).sum${nth}()
}
`,
).join('')}`

async function built(source: string, ...plugins: Plugin[]) {
  const module = { name: 'module', resolveId: (id: string) => id, load: () => source }
  const bundle = await rollup({ input: 'cart.js', plugins: [module, ...plugins], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'es', sourcemap: true })
  return { code: output[0].code, map: String(output[0].map) }
}

function prove(script: { code: string; map: string }) {
  return proveScript('a.js', Buffer.from(script.code), new MemoryBytes(Buffer.from(script.map)))
}

const TERSER: Plugin = {
  name: 'terser',
  renderChunk: async (code) => {
    const minified = await minify(code, { module: true, sourceMap: true })
    return { code: minified.code as string, map: minified.map as string }
  },
}

const HEADS: readonly (readonly [name: string, head: string])[] = [
  ['U+2028', 'globalThis.sep = `a\u2028b`'],
  ['U+2029', 'globalThis.sep = `a\u2029b`'],
  ['CR', '/*! lib\r * MIT\r */globalThis.sep = 1'],
  ['CR and U+2028', '/*! lib\r * MIT\u2028 */globalThis.sep = 1'],
  ['CR LF and U+2028', '/*! lib\r\n * MIT\u2028 */globalThis.sep = 1'],
]

describe('Rollup maps, which count only line feeds as line ends', () => {
  it.each(HEADS)('resolves positions after %s in a source', async (_, head) => {
    const { code, map } = await built(sourceOf(head))
    const { own, problems } = prove({ code, map })
    expect(problems).toEqual([])
    const [found] = own.sources.values()
    expect(found?.places).toBeGreaterThan(20)
    expect(found?.resolved).toBe(found?.places)
  })
  it.each(HEADS)('reports that terser counts %s differently', async (_, head) => {
    const { problems } = prove(await built(sourceOf(head), TERSER))
    expect(problems).toMatchObject([{ code: 'map-stale', fix: expect.stringContaining('U+2029 in cart.js with LF') }])
  })

  it('keeps the fix for a script that was changed later', async () => {
    const { code, map } = await built(sourceOf('globalThis.sep = 1'), TERSER)
    const { problems } = prove({ code: code.replace('globalThis', 'globalThis.cart=1;globalThis'), map })
    expect(problems.map(({ fix }) => fix ?? '').join()).not.toContain('U+2029')
  })
  it('reports the right fix if the map ends too early because of line ends', async () => {
    const { problems } = prove(await built(sourceOf('globalThis.sep = 1').replaceAll('\n', '\r'), TERSER))
    expect(problems).toMatchObject([
      { code: 'map-incomplete', fix: expect.stringContaining('U+2029 in cart.js with LF') },
    ])
  })
})
