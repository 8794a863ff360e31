import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { type CraftedEntry, deflated, writeZip } from '../../../../../test/support/crafted-zip.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { event, multipart } from './upload.fixture.ts'
import { validate } from './validate.ts'

const MIB = 1024 * 1024
const caller = useCaller()

/** Content sent in pieces, as fast as the intake reads it. */
async function* mapOf(pieces: number): AsyncGenerator<string | Buffer> {
  yield multipart([event()]).toString().replace('--xyz--\r\n', '')
  yield '--xyz\r\nContent-Disposition: form-data; name="source_map"; filename="m"\r\n\r\n'
  yield '{"version":3,"names":[],"sources":["a.ts"],"sourcesContent":["'
  const chunk = Buffer.alloc(MIB, 'const total= 1\\n')
  for (let nth = 0; nth < pieces; nth++) yield chunk
  yield '"],"mappings":"AAAA"}\r\n--xyz--\r\n'
}

function send(pieces: AsyncIterable<string | Buffer>): Promise<number | undefined> {
  const headers = { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz' }
  return new Promise((done, fail) => {
    const request = httpRequest(`${caller.intake.url}/sourcemap/upload`, { method: 'POST', headers }, (response) => {
      response.resume()
      done(response.statusCode)
    })
    request.on('error', fail)
    Readable.from(pieces).pipe(request)
  })
}

it('reads an upload of any size without using more memory', { timeout: 120_000 }, async () => {
  const before = process.memoryUsage().rss
  let most = 0
  const watched = async function* () {
    for await (const piece of mapOf(128)) {
      most = Math.max(most, process.memoryUsage().rss)
      yield piece
    }
  }
  expect(await send(watched())).toBe(200)
  expect((await caller.intake.uploads())[0]?.parts[0]?.bytes).toBeGreaterThan(128 * MIB)
  expect(most - before).toBeLessThan(90 * MIB)
  const stack = 'Error: x\n    at f (https://cdn/x/a.js:1:1)'
  const question = { service: 's', version: '1', type: 'browser', stack }
  // On a busy machine, a stack may need more than the limit of 10 s.
  const answer = async () => (await caller.post('/sourcemap/stack/enrich', question)).text
  await expect.poll(answer, { timeout: 60_000 }).toContain('a.ts')
})

it('reads a map with millions of objects in a list without using memory or blocking other requests', async () => {
  const path = join(caller.dataDir, 'large.json')
  const file = openSync(path, 'w')
  const block = '{"30":0},'.repeat(100_000)
  writeSync(file, '{"version":3,"mappings":"","x":[')
  for (let left = 60; left > 0; left--) writeSync(file, block)
  writeSync(file, '{}]}')
  closeSync(file)
  const files = ['source_map', 'minified_file'].map((name) => {
    return { name, filename: name, blob: { path, bytes: statSync(path).size, sha256: '' } }
  }) as unknown as Parameters<typeof validate>[0]['files']
  let isDone = false
  let others = 0
  let most = 0
  const work = () => {
    others++
    most = Math.max(most, process.memoryUsage().heapUsed)
    if (!isDone) setImmediate(work)
  }
  const before = process.memoryUsage().heapUsed
  work()
  await validate({ texts: new Map([['event', String(event().content)]]), files })
  isDone = true
  expect(others).toBeGreaterThan(100)
  expect(most - before).toBeLessThan(100e6)
})

describe('a large archive', () => {
  const upload = (type: string, part: string, entries: CraftedEntry[]) => {
    const path = join(caller.dataDir, 'a.zip')
    writeZip(path, { entries })
    return caller.upload({ type, service: 'shop', version: '1' }, { [part]: readFileSync(path) })
  }
  const uploadMaps = (entries: CraftedEntry[]) => upload('miniprogram_sourcemap', 'sourcemap_archive', entries)

  it('accepts an archive with 5000 maps', async () => {
    const content = deflated(Buffer.from('{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'))
    const entries = Array.from({ length: 5000 }, (_, nth) => ({ name: `p${nth % 7}/${nth}.js.map`, deflated: content }))
    expect(await uploadMaps(entries)).toMatchObject({ status: 200 })
    const range = { type: 'miniprogram', start_time: Date.now() - 86_400_000, end_time: Date.now() + 86_400_000 }
    expect((await caller.post('/sourcemap/list', range)).data.total).toBe(5000)
  })

  it('accepts a map of 50 MB in an archive, but no larger one, whatever size it declares', async () => {
    const mapOfBytes = (bytes: number) => deflated(Buffer.from('{}'.padEnd(bytes)))
    expect(await uploadMaps([{ name: 'a.js.map', deflated: mapOfBytes(50 * MIB) }])).toMatchObject({ status: 200 })
    const tooLarge = { name: 'a.js.map', deflated: mapOfBytes(50 * MIB + 1), declaredBytes: 9 }
    expect(await uploadMaps([tooLarge])).toMatchObject({ status: 413, code: 'EntityTooLarge' })
  })

  it('refuses an archive with dSYMs that inflates to hundreds of times its size', async () => {
    const content = Buffer.alloc(80 * MIB)
    content.writeUInt32BE(0xcffaedfe)
    const name = 'App.dSYM/Contents/Resources/DWARF/App'
    expect(await upload('ios_symbols', 'symbols_archive', [{ name, content }])).toMatchObject({ status: 413 })
  })
})

it('resolves hostile mini program stacks in little time', async () => {
  const stacks = [' '.repeat(2e6), 'at a '.repeat(400_000), `at (${'a://'.repeat(400_000)}`, '@'.repeat(2e6)]
  const seconds = await cpuSeconds(async () => {
    for (const stack of stacks)
      await caller.post('/sourcemap/stack/enrich', { type: 'miniprogram', service: 'shop', version: '1', stack })
  })
  expect(seconds).toBeLessThan(20)
})
