import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { SMALL_BYTES } from '../store/blobs.ts'

const caller = useCaller()
const { dataDir } = caller

/** Text that is too large for the database, and different in each test because content may be cached. */
let padding: string
beforeEach(() => {
  padding = randomBytes(SMALL_BYTES).toString('hex')
})
const mapOf = (source: string) =>
  JSON.stringify({ version: 3, sources: [source], sourcesContent: [padding], names: [], mappings: 'AAAA' })
const mapping = () => `a.B -> c:\n# ${padding}\n    1:1:void run():7:7 -> a\n`

async function send(event: object, files: Record<string, string>): Promise<void> {
  expect(await caller.upload({ service: 'shop', version: '1', ...event }, files)).toMatchObject({ status: 200 })
}

const sendMap = (name: string) =>
  send({ type: 'js_sourcemap', minified_url: `/${name}.js` }, { source_map: mapOf(`${name}.ts`), minified_file: 'a()' })
const sendMapping = () =>
  send({ type: 'jvm_mapping_file', version_code: 1, variant: 'release' }, { jvm_mapping_file: mapping() })
const enrich = (type: string, stack: string) =>
  caller.post('/sourcemap/stack/enrich', { type, service: 'shop', version: '1', stack })

it('resolves with a file that is restored without an upload', async () => {
  const web = 'Error: x\n    at a (/a.js:1:1)'
  await sendMap('a')
  const [away, blobs] = [join(dataDir, 'away'), join(dataDir, 'blobs')]
  renameSync(blobs, away)
  expect((await enrich('browser', web)).data.frames).toMatchObject([{ reason: { code: 'map-unusable' } }])
  renameSync(away, blobs)
  expect((await enrich('browser', web)).data.frames).toMatchObject([{ file: 'a.ts' }])
})

it.each([
  ['gone', (file: string) => rmSync(file)],
  ['truncated', (file: string) => truncateSync(file, 100)],
])('resolves frames from other files if a file is %s, and repairs it with the next upload', async (_, damage) => {
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
  const proof = await fetch(`${caller.intake.url}/inspector/api/proof?service=shop&version=1`)
  expect(await proof.json()).toMatchObject({ data: { items: [{ title: '/kept.js' }], left: 1 } })
  await sendMap('lost')
  expect((await enrich('browser', web)).data.frames).toMatchObject([{ file: 'kept.ts' }, { file: 'lost.ts' }])

  await sendMapping()
  damageAll()
  expect(await enrich('android', 'java.lang.Error: x\n\tat c.a(SourceFile:1)')).toMatchObject({
    status: 503,
    code: 'ServiceUnavailable',
    message: expect.stringContaining('Upload the file again'),
  })
})
