import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, startWith } from '../../../../test/support/faulty-files.ts'
import { Secret } from '../model/secret.ts'
import { findLeaks } from './find-leaks.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const apiKey = new Secret('secret-key-1234')
beforeEach(() =>
  startWith({
    '/dist/a.js': 'a()\n//# sourceMappingURL=gone.js.map\n',
    '/dist/b.js.map': '{}',
    '/dist/c.bin': 'secret-key-1234',
  }),
)

const found = async (files?: string[]) =>
  (await findLeaks({ directory: '/dist', apiKey, ...(files && { files }) })).map(({ code, file }) => `${code} ${file}`)

it('finds leaks if no call fails', async () => {
  expect(await found()).toEqual(['leak-reference a.js', 'leak-map b.js.map', 'leak-api-key c.bin'])
})

it.each([
  ['openSync', '/dist/a.js', 'EACCES', ['file-unreadable a.js', 'leak-map b.js.map', 'leak-api-key c.bin']],
  ['readSync', '/dist/c.bin', 'EIO', ['leak-reference a.js', 'leak-map b.js.map', 'file-unreadable c.bin']],
  ['statSync', '/dist/b.js.map', 'EACCES', ['leak-reference a.js', 'file-unreadable b.js.map', 'leak-api-key c.bin']],
])('names the file whose %s fails (%s, %s), and examines the other files', async (call, path, code, expected) => {
  failOn(call, path, code)
  expect(await found()).toEqual(expected)
})

it('ignores a file that another build deletes during the check', async () => {
  expect(await found(['a.js', 'gone-since.js'])).toEqual(['leak-reference a.js'])
})

it.each(['realpath', 'readdir'])('reports a directory that cannot be listed (%s)', async (call) => {
  failOn(call, '/dist', 'EACCES')
  expect(await found()).toEqual(['leaks-incomplete .'])
})

it('reports a subdirectory that cannot be listed', async () => {
  startWith({ '/dist/c.bin': 'secret-key-1234', '/dist/locked/d.bin': 'x' })
  failOn('readdir', '/dist/locked', 'EACCES')
  expect(await found()).toEqual(['leaks-incomplete locked'])
})

it('reports nothing for a missing directory', async () => {
  startWith({})
  expect(await found()).toEqual([])
})
