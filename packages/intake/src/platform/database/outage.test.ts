import { expect, it } from 'vitest'
import { DamagedContent } from '../../symbols/store/content-cache.ts'
import { asOutage } from './outage.ts'

it.each([
  'ENOSPC',
  'EROFS',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_READONLY_DBMOVED',
  'SQLITE_IOERR_WRITE',
  'SQLITE_CANTOPEN',
])('%s: the disk accepts nothing, so a client tries again', (code) => {
  expect(asOutage(Object.assign(new Error('x'), { code }))).toMatchObject({
    code: 'ServiceUnavailable',
    headers: { 'Retry-After': '5' },
  })
})

it.each(['RequestTimeTooSkewed', 'AccessDenied', 'NoSuchKey'])(
  '%s: a refusal of S3 is not the caller’s error',
  (code) => {
    const refused = Object.assign(new Error('x'), { name: 'S3Error', code })
    expect(asOutage(refused)).toMatchObject({ code: 'ServiceUnavailable', headers: { 'Retry-After': '1' } })
  },
)

it.each(['25006', 'EMFILE', 'ENFILE'])('%s: a client tries again', (code) => {
  expect(asOutage(Object.assign(new Error('x'), { code }))).toMatchObject({
    code: 'ServiceUnavailable',
    headers: { 'Retry-After': '1' },
  })
})

it('content that does not match its hash may be right the next time', () => {
  expect(asOutage(new DamagedContent('S3 gave other content than 00: it hashes to 11'))).toMatchObject({
    code: 'ServiceUnavailable',
  })
})

it('a bug is not an outage', () => {
  expect(asOutage(new TypeError('x is not a function'))).toBeUndefined()
  expect(asOutage(Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT' }))).toBeUndefined()
})
