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
])('asks the client to try again if the disk accepts no data: %s', (code) => {
  expect(asOutage(Object.assign(new Error('x'), { code }))).toMatchObject({
    code: 'ServiceUnavailable',
    headers: { 'Retry-After': '5' },
  })
})

it.each(['RequestTimeTooSkewed', 'AccessDenied', 'NoSuchKey'])(
  'does not blame the caller for a refusal by S3: %s',
  (code) => {
    const refused = Object.assign(new Error('x'), { name: 'S3Error', code })
    expect(asOutage(refused)).toMatchObject({ code: 'ServiceUnavailable', headers: { 'Retry-After': '1' } })
  },
)

it.each(['25006', 'EMFILE', 'ENFILE'])('asks the client to try again: %s', (code) => {
  expect(asOutage(Object.assign(new Error('x'), { code }))).toMatchObject({
    code: 'ServiceUnavailable',
    headers: { 'Retry-After': '1' },
  })
})

it('asks the client to try again if content does not match its hash', () => {
  expect(asOutage(new DamagedContent('S3 returned different content for 00: its hash is 11'))).toMatchObject({
    code: 'ServiceUnavailable',
  })
})

it('does not report a bug as an outage', () => {
  expect(asOutage(new TypeError('x is not a function'))).toBeUndefined()
  expect(asOutage(Object.assign(new Error('x'), { code: 'SQLITE_CONSTRAINT' }))).toBeUndefined()
})
