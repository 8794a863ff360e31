import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
// @ts-expect-error: elfy has no types.
import elfy from 'elfy'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { randomOf } from '../../../../../test/support/random.ts'
import { BinaryError, type BinarySource, binaryOf, openBinary, withBinary } from '../binary.ts'
import { BEYOND_4_GIB, buildIdOf, everyShape, writeShape } from './elf.fixture.ts'
import { describeElf, readElf } from './elf.ts'
import { readElfLayout } from './elf-layout.ts'

const SAMPLES = resolve(import.meta.dirname, '../../../../../fixtures/symbols/native')
const sample = (name: string) => join(SAMPLES, name)
const scratch = useDirectory()

describe('sample files', () => {
  it.each([
    [
      'arm64-v8a/libshop.so',
      {
        arch: 'arm64',
        buildId: '725d8a9b24779d7b7490796a6fc5ee732118dcd1',
        hasSymbolTable: true,
        hasDebugInfo: true,
        stripped: false,
      },
    ],
    [
      'armeabi-v7a/libshop.so',
      {
        arch: 'arm',
        buildId: '1d767e431d531a0c9c2df6bff328bbb67b22df1d',
        stripped: false,
      },
    ],
    ['edge/be32-mips.so', { arch: 'mips', buildId: '1ecc9554903d7f0fa01e7f31add3fcc17f1cb428' }],
    ['edge/phdr-only.so', { buildId: '7a5c3b671dd0d8d598ebf627ee1f7d4f35382958', stripped: true }],
    ['edge/stripped-all.so', { hasSymbolTable: false, hasDebugInfo: false, stripped: true }],
  ])('%s', async (name, facts) => {
    expect(await readElf(sample(name))).toMatchObject(facts)
  })

  it('reports a missing build id', async () => {
    expect(await readElf(sample('edge/no-build-id.so'))).not.toHaveProperty('buildId')
  })
})

describe('generated files', () => {
  const shapes = everyShape()
  const paths = shapes.map((_, index) => join(scratch, `v${index}.so`))
  for (const [index, shape] of shapes.entries()) writeShape(shape, paths[index] as string)

  it(`returns the right id, class and byte order in ${shapes.length} layouts`, async () => {
    for (const [index, shape] of shapes.entries()) {
      const path = paths[index] as string
      const { bits, little, machine } = withBinary(path, readElfLayout)
      expect([bits, little, machine]).toEqual([shape.bits, shape.little, shape.machine])
      expect((await readElf(path)).buildId).toBe(shape.idBytes === 0 ? undefined : buildIdOf(shape))
    }
  })

  it('reads the files that elfy supports the way elfy does', async () => {
    let compared = 0
    for (const path of paths) {
      let theirs: { class: string; endian: string }
      try {
        theirs = elfy.parse(readFileSync(path))
      } catch {
        continue // elfy does not support this machine type.
      }
      const { bits, little } = withBinary(path, readElfLayout)
      expect([bits, little]).toEqual([theirs.class === '64' ? 64 : 32, theirs.endian === 'lsb'])
      compared++
    }
    expect(compared).toBeGreaterThan(50)
  })

  it('reads headers beyond 4 GiB', async () => {
    const path = join(scratch, 'sparse.so')
    writeShape(BEYOND_4_GIB, path)
    expect((await readElf(path)).buildId).toBe(buildIdOf(BEYOND_4_GIB))
    const metered = countReads(openBinary(path))
    describeElf(metered.source)
    expect(metered.bytes()).toBeLessThan(8192)
    metered.source.close()
  })
})

function countReads(inner: BinarySource) {
  let bytes = 0
  const read = (position: number, length: number) => {
    const found = inner.read(position, length)
    bytes += found.length
    return found
  }
  return { source: { size: inner.size, read, close: inner.close }, bytes: () => bytes }
}

describe('damaged files', () => {
  const names = [
    'arm64-v8a/libshop.so',
    'armeabi-v7a/libshop.so',
    'edge/be32-mips.so',
    'edge/phdr-only.so',
    'edge/no-build-id.so',
  ]

  it.each(names)('%s: is read or refused after truncation or a flipped bit, but never crashes the reader', (name) => {
    const whole = readFileSync(sample(name))
    const random = randomOf(whole.length)
    let refused = 0
    for (let round = 0; round < 200; round++) {
      const bytes = Buffer.from(round % 2 ? whole.subarray(0, random(whole.length)) : whole)
      // Flips bits mostly in the headers, because damage matters most there.
      for (let flips = round % 2 ? 0 : 1 + random(4); flips > 0; flips--) {
        const tail = whole.length - 2560
        const at = random(3) === 0 ? random(whole.length) : random(2) ? random(512) : tail + random(2560)
        bytes[at] = (bytes[at] as number) ^ (1 << random(8))
      }
      const metered = countReads(binaryOf(bytes))
      try {
        describeElf(metered.source)
      } catch (error) {
        expect(error).toBeInstanceOf(BinaryError)
        refused++
      }
      expect(metered.bytes()).toBeLessThan(4 * whole.length + 8192)
    }
    expect(refused).toBeGreaterThan(50)
  })
})
