import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { type IntakeOptions, openStore, startIntake } from '../index.ts'

/** By the inspector: V8's own `gc` is not always there when a flag asks for it in a process that runs already. */
async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** In the process of all tests it may take a second, and what was collected is closed after that. */
const PATIENCE = { timeout: 20_000 }

const dataDir = mkdtempSync(join(tmpdir(), 'symup-open-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a store that cannot be read is closed again', async () => {
  await (await startIntake({ dataDir })).close()
  const store = await openStore(dataDir)
  await store.db.updateTable('resource').set({ document: '{' }).execute()
  await store.close()
  await expect(startIntake({ dataDir })).rejects.toThrow(SyntaxError)
  // Of what an open store receives.
  expect(readdirSync(join(dataDir, 'owners'))).toEqual([])
})

it.each<[string, IntakeOptions]>([
  ['a server that cannot be made', { logLevel: 'loud' as 'info' }],
  ['names that are none', { allowedHosts: [null as unknown as string] }],
  ['blobs whose address is none', { blobs: 's3://bucket?endpoint=none' }],
])('%s leaves nothing open, and no temporary directory', async (_, options) => {
  const own = mkdtempSync(join(tmpdir(), 'symup-own-'))
  vi.stubEnv('TMPDIR', own)
  vi.stubEnv('TEMP', own)
  await expect(startIntake(options)).rejects.toThrow()
  expect(readdirSync(own)).toEqual([])
  await vi.waitFor(async () => {
    await collectGarbage()
    expect(openFiles().filter((path) => path.startsWith(own))).toEqual([])
  }, PATIENCE)
  rmSync(own, { recursive: true })
})

it('a closed intake that somebody keeps has no file open', async () => {
  const intake = await startIntake({ dataDir })
  await intake.close()
  await vi.waitFor(async () => {
    await collectGarbage()
    expect(openFiles().filter((path) => path.startsWith(dataDir))).toEqual([])
  }, PATIENCE)
  expect(intake.url).toContain('http')
})

/** Where the system tells. */
function openFiles(): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return []
    }
  })
}
