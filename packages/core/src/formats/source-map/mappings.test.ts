import { describe, expect, it } from 'vitest'
import { MemoryBytes } from './bytes.ts'
import { readLayout, type SourceMapLayout } from './layout.ts'
import { MappingDecoder } from './mapping-decoder.ts'
import { countBefore, walkMappings } from './walk.ts'

// Tests batches and sums of mappings, which the agreement tests do not cover.

const MAP = { version: 3, sources: ['a'], names: ['n'], mappings: '' }

describe('mappings', () => {
  const context = { sources: 1000, names: 1000, firstSource: 0, firstName: 0, line: 0, column: 0 }
  const decoded = (text: string) => {
    const found: number[][] = []
    const decoder = new MappingDecoder(context, (segments, count) => {
      for (let at = 0; at < count * 6; at += 6) found.push([...segments.subarray(at, at + 6)])
      return true
    })
    decoder.push(Buffer.from(text))
    decoder.end()
    return found
  }

  it('returns mappings in batches', () => {
    const text = `${'CAAA,'.repeat(1030)};AACA,CCAA,CAAA,C,DAAA`
    const map = { ...MAP, sources: ['a', 'b'], mappings: text }
    const bytes = new MemoryBytes(Buffer.from(JSON.stringify(map)))
    const taken: unknown[] = []
    walkMappings(bytes, readLayout(bytes) as SourceMapLayout, (_, count) => {
      taken.push(count)
      return true
    })
    expect(taken).toEqual([1024, 11])
  })

  it('decodes the mappings of several maps in turn, in chunks of any size', () => {
    const texts = ['gBAAAC,mBgBgBgB,C', 'CAAA,EACA;;GAAG,IACC', 'A,C,E;;G,I']
    const found: number[][][] = texts.map(() => [])
    const decoders = texts.map(
      (_, index) =>
        new MappingDecoder(context, (segments, count) => {
          for (let at = 0; at < count * 6; at += 6) found[index]?.push([...segments.subarray(at, at + 6)])
          return true
        }),
    )
    for (let at = 0; at < 20; at += 2)
      for (const [index, decoder] of decoders.entries())
        decoder.push(Buffer.from((texts[index] as string).slice(at, at + 2)))
    for (const decoder of decoders) decoder.end()
    for (const [index, text] of texts.entries()) expect(found[index]).toEqual(decoded(text))
  })

  it('decodes escaped mappings, even across the chunks of a large file', () => {
    const decodedOf = (segment: string) => {
      const text = `{"sources":["a"],"names":[],"mappings":"${segment.repeat(250_000)}"}`
      const bytes = new MemoryBytes(Buffer.from(text))
      let [count, columns] = [0, 0]
      const flaw = walkMappings(bytes, readLayout(bytes) as SourceMapLayout, (segments, taken) => {
        count += taken
        columns += segments[(taken - 1) * 6 + 1] as number
        return true
      })
      return { flaw, count, columns }
    }
    const plain = decodedOf('CAAA,')
    expect([plain.flaw, plain.count]).toEqual([undefined, 250_000])
    expect(decodedOf('C\\u0041AA,')).toEqual(plain)
    expect(decodedOf('C\\u0041A\\u0041,')).toEqual(plain)
  })

  it('stops reading mappings when the caller needs no more', () => {
    const bytes = new MemoryBytes(Buffer.from(JSON.stringify({ ...MAP, mappings: 'CAAA,'.repeat(3000) })))
    let batches = 0
    walkMappings(bytes, readLayout(bytes) as SourceMapLayout, () => ++batches < 2)
    expect(batches).toBe(2)
  })

  it('stops reading mappings at the start of the next section', () => {
    const segments = Int32Array.of(1, 5, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0)
    const places: [number, number][] = [
      [0, 9],
      [1, 4],
      [1, 5],
      [1, 6],
      [1, 7],
      [1, 8],
      [2, 0],
      [2, 1],
      [3, 0],
    ]
    expect(places.map(([line, column]) => countBefore(segments, 3, { line, column }))).toEqual([
      0, 0, 0, 1, 1, 2, 2, 3, 3,
    ])
  })
})
