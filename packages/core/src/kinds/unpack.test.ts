import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Zip, type ZipEntry, ZipError } from '../formats/zip/zip.ts'
import { UnpackBudget } from './unpack.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-unpack-'))
  writeFileSync(join(root, 'a.zip'), '')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

/** A zip file whose entries inflate to 100 bytes each. `limits` records the limit passed to each inflation. */
function archive(isDamaged = false) {
  const limits: number[] = []
  const inflate: Zip['inflate'] = async (_, limit, onChunk) => {
    limits.push(limit)
    await onChunk?.(Buffer.alloc(100))
    if (isDamaged) throw new ZipError('damaged', '')
    return 100
  }
  return { zip: { entries: [], comment: '', inflate, close: async () => undefined } as Zip, limits }
}
const entries = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`${index}`, {} as ZipEntry] as const))
const unpack = (budget: UnpackBudget, zip: Zip, count: number) =>
  budget.unpack(zip, join(root, 'a.zip'), entries(count), join(root, 'out'))

it('writes nothing from an archive with more files than any app has', async () => {
  await expect(unpack(new UnpackBudget(1e9), archive().zip, 10_001)).rejects.toMatchObject({ flaw: 'too-many-entries' })
  expect(readdirSync(root)).toEqual(['a.zip'])
})

it('counts the files and bytes of all archives in a run', async () => {
  const budget = new UnpackBudget(1000)
  const { zip, limits } = archive()
  await unpack(budget, zip, 2)
  await unpack(budget, zip, 1)
  expect(limits).toEqual([1000, 900, 800])
  await expect(unpack(budget, zip, 9_998)).rejects.toMatchObject({ flaw: 'too-many-entries' })
})

it('counts the bytes of archives that turn out to be damaged', async () => {
  const budget = new UnpackBudget(1000)
  const { zip, limits } = archive(true)
  for (let times = 0; times < 3; times++)
    await expect(unpack(budget, zip, 1)).rejects.toMatchObject({ flaw: 'damaged' })
  expect(limits).toEqual([1000, 900, 800])
})

it('stops unpacking when it takes too long', async () => {
  const budget = new UnpackBudget(1000)
  const { zip, limits } = archive()
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + limits.length * 4 * 60_000)
  await expect(unpack(budget, zip, 3)).rejects.toMatchObject({ flaw: 'takes-too-long' })
  expect(limits).toHaveLength(2)
})
