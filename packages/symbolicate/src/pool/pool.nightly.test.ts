import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import type { ResolvedFrame } from '../frames.ts'
import { longMethod, mapOf } from './hostile.fixture.ts'
import { jsStack, usePools } from './pool.fixture.ts'

const { sourceOf, script, explain } = usePools()

/** Resolves frames and fails if this takes more processor time. */
async function within(seconds: number, frames: Promise<ResolvedFrame[]>): Promise<ResolvedFrame[]> {
  expect(await cpuSeconds(() => frames)).toBeLessThan(seconds)
  return frames
}

describe('the time of one query', () => {
  it('limits the time for 60 million empty lines', async () => {
    const source = script(mapOf(`${';'.repeat(60_000_000)}AAAA`))
    const frames = await within(8, explain(source, jsStack(3)))
    expect(frames.map(({ reason }) => reason?.code)).toEqual(Array(3).fill('map-unusable'))
  })

  it('limits the time for 500 frames in an original file of 5 MB, which is split once', async () => {
    const source = script(mapOf('AAAA', ['let x\n'.repeat(900_000)]))
    const frames = await within(5, explain(source, jsStack(500)))
    expect(frames).toHaveLength(500)
    expect(frames[499]?.resolved?.snippet?.[0]).toEqual({ line: 1, code: 'let x' })
  })

  it('limits the time for 500 frames in a method with 50,000 lines, which is read once', async () => {
    const source = sourceOf({ type: 'jvm_mapping_file' }, { jvm_mapping_file: longMethod(50_000) })
    const stack = Array.from({ length: 500 }, (_, index) => `\tat a.a.a(SourceFile:${index * 7 + 1})`).join('\n')
    const frames = await within(12, explain(source, stack, 'android'))
    expect(frames[499]?.resolved?.function).toBe('a.Original.m3493')
  })

  it('limits the time for an ArkTS line of 60 MB, which is not decoded', async () => {
    const key = 'entry|entry|1.0.0|src/main/ets/a.ts'
    const maps = { [key]: { version: 3, sources: ['a.ets'], names: [], mappings: 'AAAA,'.repeat(12_000_000) } }
    const source = sourceOf({ type: 'harmony_sourcemap' }, { source_map: JSON.stringify(maps) })
    const frames = await within(5, explain(source, `    at f (${key}:1:1)`, 'harmony'))
    expect(frames[0]?.reason?.code).toBe('no-mapping-at-position')
  })
})
