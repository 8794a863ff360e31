import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { checkHost, notServedAs } from './host-check.ts'

const request = (host: string, remoteAddress = '127.0.0.1') =>
  ({ headers: { host }, socket: { remoteAddress } }) as IncomingMessage

it.each([
  'localhost:8642',
  '127.0.0.1',
  '[::1]:80',
  '10.0.0.7:8080',
  '[fd00::1]:80',
  'intake:8080',
  'symbols.example.com',
])('serves the page under %s', (host) => {
  expect(() => checkHost(request(host), new Set(['symbols.example.com']))).not.toThrow()
})

it.each(['evil.example.com', '127.0.0.1.evil.example.com', 'localhost.evil.example.com:80'])(
  'does not serve the page under %s',
  (host) => {
    expect(() => checkHost(request(host), new Set())).toThrow('does not serve this page under')
  },
)

it('refuses in the language of the client', () => {
  expect(notServedAs('evil.example.com').messageIn('zh')).toMatch(
    /^\p{Script=Han}+ evil\.example\.com \p{Script=Han}+。$/u,
  )
})
