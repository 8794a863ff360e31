import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'
import { SMALL_BYTES } from '../store/blobs.ts'

const place = mkdtempSync(join(tmpdir(), 'symup-lost-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
let dataDir: string
let intake: Intake
beforeEach(async () => {
  dataDir = mkdtempSync(join(place, 'data-'))
  intake = await startIntake({ dataDir })
})
afterEach(() => intake.close())

/** Too large for the database. */
const padding = randomBytes(SMALL_BYTES).toString('hex')
const mapOf = (source: string) =>
  JSON.stringify({ version: 3, sources: [source], sourcesContent: [padding], names: [], mappings: 'AAAA' })
const MAPPING = `a.B -> c:\n# ${padding}\n    1:1:void run():7:7 -> a\n`

async function send(event: object, part: string, content: string): Promise<void> {
  const form = new FormData()
  form.append('event', JSON.stringify({ service: 'shop', version: '1', ...event }))
  form.append(part, new Blob([content]), part)
  if (part === 'source_map') form.append('minified_file', new Blob(['a()']), 'minified_file')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const response = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })
  expect(response.status, await response.text()).toBe(200)
}

const sendMap = (name: string) =>
  send({ type: 'js_sourcemap', minified_url: `/${name}.js` }, 'source_map', mapOf(`${name}.ts`))
const sendMapping = () =>
  send({ type: 'jvm_mapping_file', version_code: 1, variant: 'release' }, 'jvm_mapping_file', MAPPING)

async function enrich(type: string, stack: string) {
  const response = await fetch(`${intake.url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type, service: 'shop', version: '1', stack }),
  })
  return { status: response.status, ...((await response.json()) as { data?: { frames: object[] }; error?: object }) }
}

it('a file that is there again without an upload is resolved again', async () => {
  const web = 'Error: x\n    at a (/a.js:1:1)'
  await sendMap('a')
  const [away, blobs] = [join(dataDir, 'away'), join(dataDir, 'blobs')]
  renameSync(blobs, away)
  expect((await enrich('browser', web)).data?.frames).toMatchObject([{ reason: { code: 'map-unusable' } }])
  renameSync(away, blobs)
  expect((await enrich('browser', web)).data?.frames).toMatchObject([{ file: 'a.ts' }])
})

it.each([
  ['gone', (file: string) => rmSync(file)],
  ['truncated', (file: string) => truncateSync(file, 100)],
])(
  'a file that is %s: the frames of other files are resolved, and it is put right by the next upload',
  async (_, damage) => {
    const damageAll = () => {
      const blobs = join(dataDir, 'blobs')
      for (const folder of readdirSync(blobs))
        for (const name of readdirSync(join(blobs, folder))) damage(join(blobs, folder, name))
    }
    const web = 'Error: x\n    at b (/kept.js:1:1)\n    at a (/lost.js:1:1)'
    await sendMap('lost')
    damageAll()
    await sendMap('kept')
    expect(await enrich('browser', web)).toMatchObject({
      status: 200,
      data: { frames: [{ file: 'kept.ts' }, { converted: false, reason: { code: 'map-unusable' } }] },
    })
    const proof = await fetch(`${intake.url}/inspector/api/proof?service=shop&version=1`)
    expect(await proof.json()).toMatchObject({ data: { items: [{ title: '/kept.js' }], left: 1 } })
    await sendMap('lost')
    expect((await enrich('browser', web)).data?.frames).toMatchObject([{ file: 'kept.ts' }, { file: 'lost.ts' }])

    await sendMapping()
    damageAll()
    expect(await enrich('android', 'java.lang.Error: x\n\tat c.a(SourceFile:1)')).toMatchObject({
      status: 503,
      error: { code: 'ServiceUnavailable', message: expect.stringContaining('Upload it again') },
    })
  },
)
