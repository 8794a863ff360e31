import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, files, startWith } from '../../../../test/support/faulty-files.ts'
import { writeChanges } from './write.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const CHANGES = [
  { path: 'symup.json', after: '{}\n' },
  { path: 'vite.config.ts', before: 'old', after: 'new' },
]
const content = () => files.toJSON()

beforeEach(() => startWith({ '/shop/vite.config.ts': 'old' }))

it('writes every file and keeps its mode', () => {
  files.chmodSync('/shop/vite.config.ts', 0o640)
  writeChanges(CHANGES, '/shop')
  expect(content()).toEqual({ '/shop/symup.json': '{}\n', '/shop/vite.config.ts': 'new' })
  expect(Number(files.statSync('/shop/vite.config.ts').mode) & 0o777).toBe(0o640)
})

it('keeps a byte order mark at the start of a file', () => {
  files.writeFileSync('/shop/vite.config.ts', '\uFEFFold')
  writeChanges(CHANGES, '/shop')
  expect(content()).toEqual({ '/shop/symup.json': '{}\n', '/shop/vite.config.ts': '\uFEFFnew' })
})

it('writes to the target of a symbolic link', () => {
  files.mkdirSync('/shared')
  files.renameSync('/shop/vite.config.ts', '/shared/vite.config.ts')
  files.symlinkSync('/shared/vite.config.ts', '/shop/vite.config.ts')
  writeChanges(CHANGES, '/shop')
  expect(files.lstatSync('/shop/vite.config.ts').isSymbolicLink()).toBe(true)
  expect(files.readFileSync('/shared/vite.config.ts', 'utf8')).toBe('new')
})

it.each(['/shop/symup.json', '/shop/vite.config.ts'])(
  'leaves every file unchanged if the disk is full at %s',
  (path) => {
    failOn('writeFileSync', `${path}.${process.pid}.part`, 'ENOSPC')
    expect(() => writeChanges(CHANGES, '/shop')).toThrow('could not be written (ENOSPC)')
    expect(content()).toEqual({ '/shop/vite.config.ts': 'old' })
  },
)

it('names a file that it cannot replace, and restores the files written before it', () => {
  files.writeFileSync('/shop/package.json', 'old')
  failOn('renameSync', `/shop/vite.config.ts.${process.pid}.part`, 'EBUSY')
  expect(() => writeChanges([{ path: 'package.json', before: 'old', after: 'new' }, ...CHANGES], '/shop')).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ file: 'vite.config.ts' })] }),
  )
  expect(content()).toEqual({ '/shop/package.json': 'old', '/shop/vite.config.ts': 'old' })
})

it('keeps a user’s file that has the same name as a draft', () => {
  files.writeFileSync('/shop/symup.json.part', 'mine')
  writeChanges(CHANGES, '/shop')
  expect(content()).toMatchObject({ '/shop/symup.json.part': 'mine', '/shop/symup.json': '{}\n' })
})

it('does not change a write-protected file', () => {
  failOn('accessSync', '/shop/vite.config.ts', 'EACCES')
  expect(() => writeChanges(CHANGES, '/shop')).toThrow('could not be written (EACCES)')
  expect(content()).toEqual({ '/shop/vite.config.ts': 'old' })
})
