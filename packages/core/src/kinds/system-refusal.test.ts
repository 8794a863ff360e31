import { closeSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ZipError } from '../formats/zip/zip-entry.ts'
import { systemRefusal } from './system-refusal.ts'

const GONE = join(tmpdir(), 'symup-gone')

function thrown(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('it works')
}

const coded = (code: string, syscall = 'write') =>
  Object.assign(new Error(`${code}: no, ${syscall}`), { code, syscall })

it('reports a missing temporary directory or a full disk as a system refusal', () => {
  expect(systemRefusal(thrown(() => mkdtempSync(join(GONE, 'symup-'))))).toMatchObject({
    code: 'system-refusal',
    message: expect.stringMatching(/^System error: ENOENT: .*symup-gone/),
  })
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS'])
    expect(systemRefusal(coded(code), 'Shop.zip')).toMatchObject({
      file: 'Shop.zip',
      message: `System error: ${code}: no, write.`,
    })
})

it.each([
  ['a file that does not exist', thrown(() => closeSync(openSync(GONE, 'r')))],
  ['too many open files', coded('EMFILE', 'open')],
  ['a file without read permission', coded('EACCES', 'open')],
  ['a damaged archive', new ZipError('too-many-entries', 'It has too many.')],
  ['a bug', new TypeError('x is not a function')],
  ['no error', 'ENOSPC'],
])('does not report %s as a system refusal', (_, error) => expect(systemRefusal(error)).toBeUndefined())
