import { describe, expect, it } from 'vitest'
import { proxyFromEnvironment } from '../settings/endpoint.ts'
import { connectionSettings } from '../settings/settings.ts'
import { proxyFor } from './proxy.ts'

const https = new URL('https://ci.example.com/sourcemap/upload')
const http = new URL('http://127.0.0.1:8080/sourcemap/upload')
const found = (endpoint: URL, env: Record<string, string>, proxy?: string) =>
  proxyFor(endpoint, proxy === undefined ? connectionSettings(proxyFromEnvironment(endpoint.href, env)) : { proxy })
    ?.href

describe('the proxy for a URL', () => {
  it.each([
    ['lower case', { https_proxy: 'http://low:1' }, 'http://low:1/'],
    ['upper case', { HTTPS_PROXY: 'http://up:1' }, 'http://up:1/'],
    ['lower case before upper case', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'http://low:1/'],
    ['only the variable for the scheme', { http_proxy: 'http://low:1' }, undefined],
    ['the variable for all schemes', { ALL_PROXY: 'http://all:1' }, 'http://all:1/'],
    ['an address without a scheme', { https_proxy: 'proxy.lan:3128' }, 'http://proxy.lan:3128/'],
    ['an empty value', { https_proxy: '' }, undefined],
  ])('reads the proxy from %s', (_, env, expected) => {
    expect(found(https, env as Record<string, string>)).toBe(expected)
  })

  it("prefers the configured proxy to the environment's, and uses none if the setting is empty", () => {
    expect(found(https, { https_proxy: 'http://low:1', no_proxy: '*' }, 'http://mine:2')).toBe('http://mine:2/')
    expect(found(https, { https_proxy: 'http://low:1' }, '')).toBeUndefined()
  })

  it.each([
    ['*', true],
    ['ci.example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['example.com', true],
    ['EXAMPLE.COM', true],
    ['a.org, example.com', true],
    ['a.org example.com', true],
    ['example.com:443', true],
    ['example.com:8443', false],
    ['ample.com', false],
    ['ci.example.com.evil.org', false],
    ['', false],
  ])('bypasses the proxy if no_proxy is "%s": %s', (list, bypassed) => {
    expect(found(https, { https_proxy: 'http://p:1', NO_PROXY: list }) === undefined).toBe(bypassed)
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['::1', 'http://[::1]:8080/', true],
    ['[::1]', 'http://[::1]:8080/', true],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['[::1]:81', 'http://[::1]:8080/', false],
  ])('bypasses the proxy for numeric addresses: %s and %s: %s', (list, address, bypassed) => {
    expect(found(new URL(address), { http_proxy: 'http://p:1', no_proxy: list }) === undefined).toBe(bypassed)
  })

  it('uses the proxy for plain HTTP', () => {
    expect(found(http, { http_proxy: 'http://p:1' })).toBe('http://p:1/')
  })
})
