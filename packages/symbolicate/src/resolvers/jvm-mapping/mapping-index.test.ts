import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ArtifactSource, INDEX_PART } from '../../artifacts.ts'
import { localSymbolFiles } from '../../local-files.ts'
import { createSymbolicator, symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { indexMapping, makeMappingIndex } from './mapping-index.ts'

const PART = 'jvm_mapping_file'
const MAPPING = 'com.shop.Cart -> a.b:\n    1:3:int price():40:42 -> a\n'
let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'symup-mapping-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** How a frame resolves with this index next to the mapping. */
async function frameWith(index: Uint8Array) {
  const [mapping, beside] = [join(directory, 'mapping.txt'), join(directory, 'index')]
  await writeFile(mapping, MAPPING)
  await writeFile(beside, index)
  const source = await localSymbolFiles(PART, { [PART]: mapping, [INDEX_PART]: beside })
  const question = { stack: 'x: y\n\tat a.b.a(F:2)', service: '', version: '', platform: 'android' as const }
  return (await symbolicate(question, source)).frames[0]
}

it('stores the id of a mapping', async () => {
  const idOf = async (text: string) => (await indexMapping(Buffer.from(text))).pgMapId
  expect([await idOf(MAPPING), await idOf(`# pg_map_id: 7f3a\n${MAPPING}`)]).toEqual([undefined, '7f3a'])
})

it.each(['#', '# {"id"', '# end\n', '# {"id":"sourceFile"'])('accepts a mapping that ends with %j', async (end) => {
  const text = `${MAPPING}# {"id":"sourceFile","fileName":"Cart.kt"}\n${end}`
  expect((await indexMapping(Buffer.from(text))).originalName('a.b')).toBe('com.shop.Cart')
})

it('uses the index next to the mapping', async () => {
  const index = makeMappingIndex(Buffer.from(MAPPING))
  expect(await frameWith(index)).toMatchObject({ resolved: { function: 'com.shop.Cart.price', line: 41 } })
  const flawed = makeMappingIndex(Buffer.from('nothing'))
  expect(await frameWith(flawed)).toMatchObject({
    resolved: null,
    reason: { message: expect.stringContaining('The file contains no classes.') },
  })
})

it('requests mapping files again if the store deleted its local copies', async () => {
  // The classes are further apart than the size of one read.
  const far = `${MAPPING}${'# a comment\n'.repeat(10_000)}com.shop.Order -> a.c:\n    1:3:int sum():7:9 -> b\n`
  const contents: Record<string, Uint8Array> = {
    [PART]: Buffer.from(far),
    [INDEX_PART]: makeMappingIndex(Buffer.from(far)),
  }
  const source: ArtifactSource = {
    ...artifactSourceOf([]),
    findSymbolFiles: async (query) => [
      {
        ...query,
        contentKey: 'mapping',
        async open(part) {
          const path = join(directory, part)
          await writeFile(path, contents[part] as Uint8Array)
          return path
        },
      },
    ],
  }
  const symbolicator = createSymbolicator()
  const lineOf = async (frame: string) => {
    const question = { stack: `x: y\n\tat ${frame}(F:2)`, service: '', version: '', platform: 'android' as const }
    const [first] = (await symbolicator.symbolicate(question, source)).frames
    for (const part of Object.keys(contents)) await rm(join(directory, part), { force: true })
    return first?.resolved?.line
  }
  expect(await lineOf('a.b.a')).toBe(41)
  expect(await lineOf('a.c.b')).toBe(8)
})

it('ignores an index that points nowhere', async () => {
  const index = makeMappingIndex(Buffer.from(MAPPING))
  // The test changes the start and the end of the class, which precede the version in the last record.
  for (const at of [28, 24]) index.writeUInt32LE(0xffff, index.length - at)
  expect(await frameWith(index)).toMatchObject({ resolved: { function: 'com.shop.Cart.price', line: 41 } })
})

it('recreates a damaged index', async () => {
  const index = makeMappingIndex(Buffer.from(MAPPING))
  for (const damaged of [
    Buffer.from('not an index'),
    index.subarray(0, -4),
    Buffer.concat([Buffer.alloc(4), index.subarray(4)]),
  ])
    expect(await frameWith(damaged)).toMatchObject({ resolved: { line: 41 } })
})

it('finds each of very many classes, the last of several with one name, and no missing class', async () => {
  const classes = Array.from({ length: 10_000 }, (_, at) => `p.C${at} -> ${at.toString(36)}:\n`)
  const index = await indexMapping(Buffer.from(`${classes.join('')}p.Last -> zz:\n`))
  for (let at = 0; at < 10_000; at += 7) {
    const name = at.toString(36)
    expect(index.originalName(name)).toBe(name === 'zz' ? 'p.Last' : `p.C${at}`)
  }
  expect(index.originalName('zzzz')).toBeUndefined()
})
