import { readdirSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { type IntakeOptions, startIntake } from '../index.ts'

const directory = useDirectory('each')
afterEach(() => {
  vi.unstubAllEnvs()
})

it.each<[string, IntakeOptions]>([
  ['a server that cannot be created', { logLevel: 'loud' as 'info' }],
  ['invalid host names', { allowedHosts: [null as unknown as string] }],
  ['an invalid address for blobs', { blobs: 's3://bucket?endpoint=none' }],
])('leaves no temporary directory after a failed start: %s', async (_, options) => {
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, directory)
  await expect(startIntake(options)).rejects.toThrow()
  expect(readdirSync(directory)).toEqual([])
})
