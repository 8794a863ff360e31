import { runInThisContext } from 'node:vm'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

/** Minifies a source, runs it, and resolves the stack that it throws. */
async function thrownIn(source: string, minify: boolean) {
  const options = { loader: 'ts', minify, sourcemap: 'external', sourcefile: 'shop.ts', format: 'iife' } as const
  const { code, map } = await transform(source, options)
  let stack = ''
  try {
    runInThisContext(code, { filename: '/app/shop.js' })
  } catch (error) {
    stack = String((error as Error).stack)
  }
  const artifact = {
    ...{ service: 'shop', version: '1', path: '/app/shop.js', contentKey: code },
    readMap: async () => Buffer.from(map),
    readScript: async () => Buffer.from(code),
  }
  const from = { ...artifactSourceOf([]), findScripts: async () => [artifact] }
  const { frames } = await symbolicate({ stack, service: 'shop', version: '1' }, from)
  return { code, lines: frames.flatMap(({ resolved }) => (resolved ? [resolved.line] : [])) }
}

const SHOP = 'const items = new Map<string, { price: { amount: number } }>()\n'

// V8 reports the dot of a property after a call, and otherwise the property.
it.each<[string, string, string, number]>([
  [
    'whose object a minifier replaced',
    `function price(id: string) {\n  const item = items.get(id)!\n  return item.price.amount\n}\nprice('a')\n`,
    '.get(t).price',
    4,
  ],
  [
    'with another line in between',
    `function price(id: string) {\n  const item = items.get(id)!\n\n  return (\n    item.price.amount)\n}\nprice('a')\n`,
    '.get(t).price',
    6,
  ],
  ['on its own line', `items\n  .get('a')\n  .price\n`, '.get("a").price', 4],
  ['on the line of the call', `\nitems.get('a')!.price\n\n`, '.get("a").price', 3],
])('finds a property %s on its line', async (_, source, made, line) => {
  const { code, lines } = await thrownIn(SHOP + source, true)
  expect(code).toContain(made)
  expect(lines[0]).toBe(line)
  expect((await thrownIn(SHOP + source, false)).lines[0]).toBe(line)
})
