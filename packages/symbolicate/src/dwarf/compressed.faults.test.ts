import { deflateSync } from 'node:zlib'
import { binaryOf } from '@symup/core/resolving'
import { expect, it, vi } from 'vitest'
import { zstd } from './numbers.fixture.ts'

const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  writeSync: () => {
    throw FULL
  },
}))
const { inflateSection } = await import('./compressed.ts')

/** The declared size is so large that the section goes to disk. */
const DECLARED = 16 * 1024 * 1024 + 1
const CONTENT = Buffer.from('what the section holds')

it.each([
  ['zlib', deflateSync(CONTENT)],
  ['zstd', zstd(CONTENT)],
] as const)('does not treat a full disk as damage to a %s section', async (method, packed) => {
  await expect(inflateSection(binaryOf(packed), 0, packed.length, method, DECLARED)).rejects.toBe(FULL)
})
