import { expect, it, vi } from 'vitest'
import { failOn, files, startWith } from '../../../../../test/support/faulty-files.ts'
import { injectDebugIds } from './inject.ts'

vi.mock('node:fs', async () => (await import('../../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../../test/support/faulty-files.ts')).promisesModule)

const CODE = 'throw 1\n//# sourceMappingURL=a.js.map\n'
const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}'
const PAGE = '/app/dist/index.html'

it.each([
  ['openSync', PAGE, 'file-unreadable'],
  ['statSync', PAGE, 'file-unreadable'],
  ['statSync', '/app/dist/a.js.map', 'system-refusal'],
])('changes nothing when %s fails (%s)', async (call, path, code) => {
  startWith({ '/app/dist/a.js': CODE, '/app/dist/a.js.map': MAP, [PAGE]: '' })
  failOn(call, path, 'EACCES')
  await expect(injectDebugIds({ directory: '/app/dist', cwd: '/app' })).rejects.toMatchObject({ problems: [{ code }] })
  expect(files.toJSON()).toEqual({ '/app/dist/a.js': CODE, '/app/dist/a.js.map': MAP, [PAGE]: '' })
})
