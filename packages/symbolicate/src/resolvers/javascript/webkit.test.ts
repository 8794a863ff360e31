import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const FIXTURE = resolve(import.meta.dirname, '../../../../../fixtures/symbols/webkit')
const read = (name: string) => readFileSync(join(FIXTURE, name), 'utf8')
const { stacks } = JSON.parse(read('stacks.json')) as { stacks: Record<string, string> }
const lines = read('shop.ts').split('\n')
const lineOf = (name: string) => lines.findIndex((line) => new RegExp(`(?:Error\\(|// )'${name}'`).test(line)) + 1

const place = { service: 'shop', version: '1', path: '/assets/shop.min.js', contentKey: 'shop' }
const artifact = {
  ...place,
  readMap: async () => readFileSync(join(FIXTURE, 'shop.min.js.map')),
  readScript: async () => readFileSync(join(FIXTURE, 'shop.min.js')),
}
const source = { ...artifactSourceOf([]), findScripts: async () => [artifact] }

/** Recorded in WebKit by fixtures/symbols/webkit/record.mjs. */
describe("stacks in WebKit's format", () => {
  it.each(Object.entries(stacks))('resolves %s', async (name, stack) => {
    const { frames } = await symbolicate({ stack, service: 'shop', version: '1' }, source)
    expect(frames.map(({ raw }) => raw)).toEqual(stack.split('\n').filter((line) => !/^\w*@$/.test(line)))
    expect(frames[0]?.resolved).toMatchObject({ file: 'shop.ts', line: lineOf(name) })
    for (const { raw, resolved, reason } of frames)
      expect(resolved?.file ?? reason?.code).toBe(raw.includes('[native code]') ? 'not-a-project-frame' : 'shop.ts')
  })

  it('names functions as in the source', async () => {
    const nameOf = async (name: string) => {
      const { frames } = await symbolicate({ stack: stacks[name] as string, service: 'shop', version: '1' }, source)
      return frames[0]?.resolved?.function
    }
    expect(await nameOf('method')).toBe('Cart.add')
    expect(await nameOf('after await')).toBe('pay')
    expect(await nameOf('generator')).toBe('prices')
  })
})
