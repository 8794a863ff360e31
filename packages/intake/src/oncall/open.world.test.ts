import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { type IntakeOptions, openStore, startIntake } from '../index.ts'

/** Uses Node's inspector, because V8's own `gc` is not always available when a flag requests it in a running process. */
async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** Node closes files some time after the garbage collection. */
const TIMEOUT = { timeout: 20_000 }

const OPEN_FILES = '/proc/self/fd'

it.skipIf(!existsSync(OPEN_FILES)).each<[string, IntakeOptions]>([
  ['a server that cannot be created', { logLevel: 'loud' as 'info' }],
  ['invalid host names', { allowedHosts: [null as unknown as string] }],
  ['an invalid address for blobs', { blobs: 's3://bucket?endpoint=none' }],
])('leaves no file open after a failed start: %s', async (_, options) => {
  const own = mkdtempSync(join(tmpdir(), 'symup-own-'))
  vi.stubEnv('TMPDIR', own)
  await expect(startIntake(options)).rejects.toThrow()
  vi.unstubAllEnvs()
  await vi.waitFor(async () => {
    await collectGarbage()
    expect(openFiles().filter((path) => path.startsWith(own))).toEqual([])
  }, TIMEOUT)
  rmSync(own, { recursive: true })
})

it.skipIf(!existsSync(OPEN_FILES))('closes all files of an intake that is still referenced', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-open-'))
  const intake = await startIntake({ dataDir })
  await intake.close()
  await vi.waitFor(async () => {
    await collectGarbage()
    expect(openFiles().filter((path) => path.startsWith(dataDir))).toEqual([])
  }, TIMEOUT)
  expect(intake.url).toContain('http')
  rmSync(dataDir, { recursive: true })
})

it.skipIf(!existsSync(OPEN_FILES))('a store that cannot be read has no file open after the failed start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-unreadable-'))
  await (await startIntake({ dataDir })).close()
  const store = await openStore(dataDir)
  await store.db.updateTable('resource').set({ document: '{' }).execute()
  await store.close()
  await expect(startIntake({ dataDir })).rejects.toThrow(SyntaxError)
  await vi.waitFor(async () => {
    await collectGarbage()
    expect(openFiles().filter((path) => path.startsWith(dataDir))).toEqual([])
  }, TIMEOUT)
  rmSync(dataDir, { recursive: true })
})

/** Linux lists the open files of a process in a directory. */
function openFiles(): string[] {
  return readdirSync(OPEN_FILES).flatMap((descriptor) => {
    try {
      return readlinkSync(join(OPEN_FILES, descriptor))
    } catch {
      return []
    }
  })
}
