import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { DEFAULT_SEED, type Intake, type IntakeOptions, startIntake } from '../index.ts'

let intake: Intake
afterEach(() => intake.close())

async function start(options: IntakeOptions = {}): Promise<void> {
  intake = await startIntake(options)
}

async function upload(source: string): Promise<void> {
  const form = new FormData()
  form.set('event', JSON.stringify({ type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }))
  const map = { version: 3, sources: [source], sourcesContent: [`// ${source}`], names: [], mappings: 'AAAA' }
  form.set('source_map', new Blob([JSON.stringify(map)]), 'a.js.map')
  form.set('minified_file', new Blob(['throw 1']), 'a.js')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const response = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(200)
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${intake.url}/inspector/api/${path}`)
  return ((await response.json()) as { data: T }).data
}

it('shows the map that is stored now, also when the same artifact was uploaded again', async () => {
  await start()
  const sources = async () => {
    const { items } = await ask<{ items: { id: string }[] }>('uploads')
    expect(items).toHaveLength(1)
    return (await ask<{ name: string }[]>(`sources?id=${items[0]?.id}`)).map(({ name }) => name)
  }
  await upload('src/first.ts')
  expect(await sources()).toEqual(['src/first.ts'])
  await upload('src/second.ts')
  expect(await sources()).toEqual(['src/second.ts'])
})

it.each<[string, string, unknown]>([
  ['service', 'no service', { text: 'at f (https://h/a.js:1:1)', version: '1' }],
  ['version', 'no version', { text: 'at f (https://h/a.js:1:1)', service: 's' }],
  ['type', 'an unknown type', { text: 'x', service: 's', version: '1', type: 'fax' }],
  ['service', 'a service that is no text', { text: 'x', service: { a: 1 }, version: '1' }],
])('refuses a question, naming %s: %s', async (field, _, question) => {
  await start()
  const response = await fetch(`${intake.url}/inspector/api/explain`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
  })
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  expect(error.code).toBe('InvalidParameter')
  expect(error.message).toContain(field)
})

const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((it) => it?.family === 'IPv4' && !it.internal)?.address

it.skipIf(!OUTSIDE)(
  `a loopback name opens the page from this machine only${OUTSIDE ? '' : ' (skipped: no other address here)'}`,
  async () => {
    await start({ host: '0.0.0.0', seed: DEFAULT_SEED, inspector: true, allowedHosts: ['intake.example'] })
    const { port } = new URL(intake.url)
    const statusOf = (hostname: string, name: string) =>
      new Promise((done, fail) => {
        request(
          { hostname, port, path: '/inspector/api/uploads', headers: { Host: `${name}:${port}` } },
          (response) => {
            response.resume()
            done(response.statusCode)
          },
        )
          .on('error', fail)
          .end()
      })
    expect(await statusOf('127.0.0.1', 'localhost')).toBe(200)
    // Whoever comes over the network may write any name into the header.
    expect(await statusOf(OUTSIDE as string, 'localhost')).toBe(403)
    expect(await statusOf(OUTSIDE as string, '127.0.0.1')).toBe(403)
    expect(await statusOf(OUTSIDE as string, 'intake.example')).toBe(200)
  },
)
