import { expect, it } from 'vitest'
import { MASK, withoutSecrets } from '../secrets.ts'
import { stringifyJson } from '../wire/int64.ts'
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
  'tls_key_pwd',
  'service_token',
  'access_key_secret',
])('masks the value of %s', (name) => {
  expect(maskedBody({ [name]: 'hunter2' })).toBe(`{"${name}":"***"}`)
  expect(maskedValue(name, 'hunter2')).toBe('***')
})

it.each(['keyword', 'author', 'monkey', 'channel_id', 'hockey_team', 'access_key_id', 'tls_ca'])(
  'does not mask the value of %s',
  (name) => {
    expect(maskedBody({ [name]: 'shown' })).toBe(`{"${name}":"shown"}`)
  },
)

it.each([
  ['postgres://user:hunter2@db/symup', 'postgres://user:***@db/symup'],
  ['https://user:p@ss@h/a https://b:c@d', 'https://user:***@h/a https://b:***@d'],
  ['https://h:8080/a@b', 'https://h:8080/a@b'],
  ['https://user@h/', 'https://user@h/'],
  ['https://h/?app_key=hunter2&p=1', 'https://h/?app_key=***&p=1'],
])('masks the secret in %s', (text, shown) => {
  expect(maskedBody({ url: text })).toBe(JSON.stringify({ url: shown }))
})

it('masks secrets in headers', () => {
  expect(maskedHeaders({ 'x-api-key': 'a', 'x-amz-security-token': 'b', 'x-jwt': 'c', accept: 'd' })).toEqual({
    'x-api-key': '***',
    'x-amz-security-token': '***',
    'x-jwt': '***',
    accept: 'd',
  })
})

it.each<[string, object]>([
  ['numbers', { ids: Array.from({ length: 20_000 }, (_, nth) => nth) }],
  [
    'fields',
    Object.fromEntries(Array.from({ length: 5000 }, (_, nth) => [`field${nth}`, { nth, password: 'hunter2' }])),
  ],
  ['secrets', { list: Array.from({ length: 5000 }, () => ({ token: 'x'.repeat(500), name: 'y' })) }],
  ['long text', { text: 'https://user:hunter2@h/ '.repeat(20_000) }],
  [
    'texts',
    {
      lines: Array(500)
        .fill(`Authorization: ${'x'.repeat(900)}`)
        .flatMap((line) => [line, 'z'.repeat(90)]),
    },
  ],
  ['long integers', { ids: Array(20_000).fill(2n ** 62n) }],
  [
    'secrets in one text',
    {
      text: `${`https://h/?token=${'x'.repeat(900)} `.repeat(80)}pg://user:${'hunter2'.repeat(600)}@h/ ${'a text '.repeat(9000)}`,
    },
  ],
])('returns the first 10 KB of a masked body with many %s', (_, body) => {
  const kept = maskedBody(body)
  expect(kept).toHaveLength(10 * 1024)
  expect(stringifyJson(withoutSecrets(body, MASK)).startsWith(kept)).toBe(true)
})
