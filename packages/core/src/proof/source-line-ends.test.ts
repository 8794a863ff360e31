import { rollup } from 'rollup'
import { describe, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { proveScript } from './prove-script.ts'

/** The text ends with functions, whose lines would shift with each of the line ends above. */
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

async function built(source: string) {
  const module = { name: 'module', resolveId: (id: string) => id, load: () => source }
  const bundle = await rollup({ input: 'cart.js', plugins: [module], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'es', sourcemap: true })
  return { code: output[0].code, map: String(output[0].map) }
}

describe('Rollup, whose maps count line feeds alone', () => {
  it.each([
    ['U+2028', 'globalThis.sep = `a\u2028b`'],
    ['U+2029', 'globalThis.sep = `a\u2029b`'],
    ['CR', '/*! lib\r * MIT\r */globalThis.sep = 1'],
    ['CR and U+2028', '/*! lib\r * MIT\u2028 */globalThis.sep = 1'],
    ['CR LF and U+2028', '/*! lib\r\n * MIT\u2028 */globalThis.sep = 1'],
  ])('resolves after %s in a source', async (_, head) => {
    const { code, map } = await built(sourceOf(head))
    const { own, problems } = proveScript(
      'a.js',
      ...([code, map].map((text) => new MemoryBytes(Buffer.from(text))) as [MemoryBytes, MemoryBytes]),
    )
    expect(problems).toEqual([])
    const [found] = own.sources.values()
    expect(found?.places).toBeGreaterThan(20)
    expect(found?.resolved).toBe(found?.places)
  })
})
