import { readdirSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { type IntakeOptions, startIntake } from '../index.ts'

const directory = useDirectory('each')
afterEach(() => {
  vi.unstubAllEnvs()
})

it.each<[string, IntakeOptions]>([
  ['a server that cannot be made', { logLevel: 'loud' as 'info' }],
  ['names that are none', { allowedHosts: [null as unknown as string] }],
  ['blobs whose address is none', { blobs: 's3://bucket?endpoint=none' }],
])('%s leaves no temporary directory', async (_, options) => {
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, directory)
  await expect(startIntake(options)).rejects.toThrow()
  expect(readdirSync(directory)).toEqual([])
})
