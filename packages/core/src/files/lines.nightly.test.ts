import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { linesOf } from './lines.ts'

it('does not copy a line again for each of its chunks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-lines-'))
  const path = join(directory, 'file')
  const long = 128 * 1024 * 1024
  writeFileSync(path, `${'x'.repeat(long)}\ny`)
  const lengths: number[] = []
  const seconds = await cpuSeconds(async () => {
    for await (const line of linesOf(path)) lengths.push(line.length)
  })
  rmSync(directory, { recursive: true })
  expect(lengths).toEqual([long, 1])
  expect(seconds).toBeLessThan(10)
})
