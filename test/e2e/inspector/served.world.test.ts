import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../support/build-fixture.ts'
import { buildPackages } from '../../support/build-package.ts'
import { useIntake } from '../../support/intake.ts'
import { KEY } from './support.ts'

const DIST = join(ROOT, 'packages/intake/inspector')

describe('the served inspector page', () => {
  const intake = useIntake()
  beforeAll(buildPackages)

  it('sets a strict policy, contains no key, and stays small', async () => {
    const page = await fetch(intake.url)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const html = await page.text()
    expect(html).not.toMatch(/<script>| style=| on\w+=|https?:\/\//)
    let bytes = 0
    let first = 0
    for (const file of readdirSync(join(DIST, 'assets'))) {
      expect(file).not.toMatch(/\.map$/)
      const text = readFileSync(join(DIST, 'assets', file))
      expect(text.includes(KEY) || text.includes('dev-app-key')).toBe(false)
      bytes += gzipSync(text).length
      // Listed in the page: the files that a browser loads before it shows code.
      if (html.includes(file)) first += gzipSync(text).length
    }
    expect(first).toBeGreaterThan(10 * 1024)
    expect(first).toBeLessThan(60 * 1024)
    expect(bytes).toBeLessThan(120 * 1024)
    expect((await fetch(`${intake.url}/inspector/assets/..%2F..%2Fpackage.json`)).status).toBe(404)
  })

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example'])('refuses the host %s', async (host) => {
    for (const path of ['/', '/inspector/api/uploads', '/inspector/api/events']) {
      const status = await new Promise((done, fail) => {
        const { hostname, port } = new URL(intake.url)
        request({ hostname, port, path, headers: { Host: host } }, (response) => {
          response.destroy()
          done(response.statusCode)
        })
          .on('error', fail)
          .end()
      })
      expect(status).toBe(403)
    }
  })

  it('refuses changes without a key', async () => {
    const body = JSON.stringify({ fault: '500' })
    const headers = { 'Content-Type': 'application/json' }
    const refused = await fetch(`${intake.url}/inspector/api/fault`, { method: 'POST', headers, body })
    expect(refused.status).toBe(401)
  })
})
