import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { WHOLE_BYTES } from '../send/body.ts'
import { Budget, load } from './content.ts'

const root = mkdtempSync(join(tmpdir(), 'symup-content-'))
afterAll(() => rmSync(root, { recursive: true }))

const part = (name: string, text: string, bytes = text.length): FilePart => {
  const path = join(root, name)
  writeFileSync(path, text)
  return { name, filename: name, path, bytes }
}
const uploadOf = (...parts: FilePart[]) => ({ event: {}, parts }) as unknown as SymbolUpload
const textsOf = (parts: readonly FilePart[]) => parts.map(({ content }) => content && Buffer.from(content).toString())

it('loads the files of an artifact, and admits the next artifact when they are freed', async () => {
  const budget = new Budget(20)
  const { parts, free } = await load(uploadOf(part('map', 'the map'), part('script', 'the script')), budget)
  expect(textsOf(parts)).toEqual(['the map', 'the script'])
  let isIn = false
  const next = budget.take(10).then(() => {
    isIn = true
  })
  await Promise.resolve()
  expect(isIn).toBe(false)
  free()
  free()
  await next
  expect(textsOf(parts)).toEqual([undefined, undefined])
})

it('does not load a file that is missing or has changed in size since the plan', async () => {
  const gone = part('gone', 'x')
  rmSync(gone.path)
  const { parts } = await load(uploadOf(gone, part('grown', 'text', 3), part('same', 'text')), new Budget(1000))
  expect(textsOf(parts)).toEqual([undefined, undefined, 'text'])
})

it('keeps files in memory unchanged, and large artifacts on disk', async () => {
  const known = { ...part('known', ''), bytes: 5, content: Buffer.from('known') }
  const memory = await load(uploadOf(known), new Budget(1000))
  memory.free()
  expect(memory.parts).toEqual([known])
  const large = uploadOf({ ...part('large', ''), bytes: WHOLE_BYTES + 1 })
  expect(textsOf((await load(large, new Budget(WHOLE_BYTES))).parts)).toEqual([undefined])
})

it('grants bytes in the order of the requests, and never more than are available', async () => {
  const budget = new Budget(1000)
  const given: string[] = []
  const take = (name: string, bytes: number) => budget.take(bytes).then(() => given.push(name))
  await take('first', 600)
  void take('large', 500)
  const small = take('small', 100)
  await Promise.resolve()
  expect(given).toEqual(['first'])
  budget.give(600)
  await small
  expect(given).toEqual(['first', 'large', 'small'])
})
