import { expect, it } from 'vitest'
import { maskedBody, maskedHeaders, maskedValue } from './mask.ts'

it.each([
  'x-api-key',
  'apiKey',
  'app_key',
  'access_key',
  'secret_key',
  'private-key',
  'passphrase',
  'password',
  'jwt',
  'refresh_token',
  'client_secret',
  'Authorization',
  'session_id',
  'signature',
  'license_key',
  'auth',
])('the value of %s is masked', (name) => {
  expect(maskedBody({ [name]: 'hunter2' })).toBe(`{"${name}":"***"}`)
  expect(maskedValue(name, 'hunter2')).toBe('***')
})

it.each(['keyword', 'author', 'monkey', 'channel_id', 'hockey_team'])('the value of %s is not', (name) => {
  expect(maskedBody({ [name]: 'shown' })).toBe(`{"${name}":"shown"}`)
})

it.each([
  ['postgres://user:hunter2@db/symup', 'postgres://user:***@db/symup'],
  ['https://user:p@ss@h/a https://b:c@d', 'https://user:***@h/a https://b:***@d'],
  ['https://h:8080/a@b', 'https://h:8080/a@b'],
  ['https://user@h/', 'https://user@h/'],
  ['https://h/?app_key=hunter2&p=1', 'https://h/?app_key=***&p=1'],
])('%s', (text, shown) => {
  expect(maskedBody({ url: text })).toBe(JSON.stringify({ url: shown }))
})

it('headers', () => {
  expect(maskedHeaders({ 'x-api-key': 'a', 'x-amz-security-token': 'b', 'x-jwt': 'c', accept: 'd' })).toEqual({
    'x-api-key': '***',
    'x-amz-security-token': '***',
    'x-jwt': '***',
    accept: 'd',
  })
})
