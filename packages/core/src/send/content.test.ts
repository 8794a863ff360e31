import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { Arena } from './arena.ts'
import { load } from './content.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-content-'))
afterAll(() => rmSync(directory, { recursive: true }))

function part(name: string, text: string, bytes = text.length): FilePart {
  const path = join(directory, name)
  writeFileSync(path, text)
  return { name, filename: name, path, bytes }
}
const uploadOf = (...parts: FilePart[]) => ({ event: { type: 'js_sourcemap' }, parts }) as unknown as SymbolUpload
const textsOf = (parts: readonly FilePart[]) => parts.map(({ content }) => content?.toString())

it('reads the files of an artifact, until their memory is given back', async () => {
  const arena = new Arena(1000)
  const { parts, free } = await load(uploadOf(part('map', 'the map'), part('script', 'the script')), arena)
  expect(textsOf(parts)).toEqual(['the map', 'the script'])
  free()
  free()
  expect(textsOf(parts)).toEqual([undefined, undefined])
  expect(await arena.take(1000)).toHaveLength(1000)
})

it('leaves on the disk what is not there, or has another size than it had when it was planned', async () => {
  const gone = { ...part('gone', ''), path: join(directory, 'nowhere'), bytes: 4 }
  const { parts, free } = await load(
    uploadOf(part('longer', '12345', 4), part('shorter', '123', 4), gone, part('same', 'same')),
    new Arena(1000),
  )
  expect(textsOf(parts)).toEqual([undefined, undefined, undefined, 'same'])
  free()
})

it('leaves what is in memory as it is, and large artifacts on the disk', async () => {
  const arena = new Arena(1000)
  const known = { ...part('known', 'text'), content: Buffer.from('other') }
  const memory = await load(uploadOf(known), arena)
  memory.free()
  expect(textsOf(memory.parts)).toEqual(['other'])
  const large = uploadOf(part('large', 'text', 4 * 1024 * 1024))
  expect(textsOf((await load(large, arena)).parts)).toEqual([undefined])
})
