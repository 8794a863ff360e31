import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, startWith } from '../../../../test/support/faulty-files.ts'
import { readConfigFile } from './config-file.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)

const FILE = '/repo/symup.json'
beforeEach(() => startWith({ [FILE]: '{"service":"shop"}', '/repo/app/index.js': '' }))

it('reads a config file in a parent directory', () => {
  expect(readConfigFile('/repo/app')).toMatchObject({ file: { path: FILE, values: { service: 'shop' } }, problems: [] })
})

it.each([
  ['EACCES', 'EACCES'],
  ['EIO', 'EIO'],
  ['EISDIR', 'a directory'],
  ['ELOOP', 'ELOOP'],
])('reports a config file that cannot be read (%s) instead of skipping it', (code, output) => {
  startWith({ [FILE]: '{}', '/symup.json': '{"service":"other"}' })
  failOn('readFileSync', FILE, code)
  const { file, problems } = readConfigFile('/repo/app')
  expect(file).toBeUndefined()
  expect(problems).toMatchObject([
    { code: 'config-file-invalid', file: FILE, message: expect.stringContaining(output) },
  ])
})

it('treats a config file that disappears during the search as missing', () => {
  failOn('readFileSync', FILE, 'ENOENT')
  expect(readConfigFile('/repo/app')).toEqual({ problems: [] })
})

it('treats a config file as missing if its directory is a file', () => {
  expect(readConfigFile('/repo/app/index.js')).toMatchObject({ file: { path: FILE }, problems: [] })
})
