import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sourceArguments } from '../../../../../test/support/build-fixture.ts'
import { post, upload } from '../../test-support/client.fixture.ts'

const PROCESS = join(import.meta.dirname, '../../../../../test/fuzz/intake-process.ts')
const LINE = 'export const answer = (question: string) => question.length\n'
/** Number of lines in each original file. */
const LINES = 40_000
const TEXT_BYTES = LINE.length * LINES
/** Bytes per segment. The share of a map that is not original text is 27 of 167 MB. */
const SEGMENT_BYTES = 5
const MAPPINGS_SHARE = 27 / 167
/** Health checks that an intake answers while a look-up runs on its event loop in steps. */
const FEW = 100

function largeMap(megabytes: number): string {
  const content = LINE.repeat(LINES)
  const texts = (megabytes * 1e6 * (1 - MAPPINGS_SHARE)) / TEXT_BYTES
  const sources = Array.from({ length: Math.floor(texts) }, (_, at) => `src/${at}.ts`)
  const sourcesContent = sources.map(() => content)
  const pairs = (megabytes * 1e6 * MAPPINGS_SHARE) / SEGMENT_BYTES / 2
  return JSON.stringify({ version: 3, sources, sourcesContent, names: [], mappings: 'AAAA,CAAC,'.repeat(pairs) })
}

it.each([
  ['look-up in a map of 167 MB', 167, explain],
  ['view of a map of 45 MB in the inspector', 45, inspect],
] as const)(
  'answers other requests during the first %s',
  async (_, megabytes, ask) => {
    const intake = fork(PROCESS, { execArgv: sourceArguments(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    try {
      const [{ url }] = (await once(intake, 'message')) as [{ url: string }]
      expect(await uploadMap(url, '/large.js', largeMap(megabytes))).toBe(200)
      let isOver = false
      const asked = ask(url, '/large.js').finally(() => {
        isOver = true
      })
      let answered = 0
      while (!isOver) {
        expect((await fetch(`${url}/healthz`)).status).toBe(200)
        answered++
      }
      expect([200, 503]).toContain(await asked)
      expect(answered).toBeGreaterThan(FEW)
    } finally {
      intake.disconnect()
    }
  },
  300_000,
)

async function uploadMap(url: string, minified_url: string, source_map: string): Promise<number> {
  const event = { type: 'js_sourcemap', service: 's', version: '1', minified_url }
  return (await upload(url, event, { source_map, minified_file: 'throw 1;'.repeat(1_000_000) })).status
}

async function explain(url: string, path: string): Promise<number> {
  const stack = `Error: x\n    at f (https://h${path}:1:5000000)`
  const { status, text } = await post(url, '/sourcemap/stack/enrich', { service: 's', version: '1', stack })
  if (status === 200) expect(text).toContain('"converted":true')
  return status
}

async function inspect(url: string, path: string): Promise<number> {
  const get = async (question: string) => (await fetch(`${url}/inspector/api/${question}`)).json()
  const { data } = (await get(`uploads?query=${path}`)) as { data: { items: { id: string }[] } }
  const answer = await fetch(`${url}/inspector/api/sources?id=${data.items[0]?.id}`)
  if (answer.status === 200) expect(await answer.text()).toContain('"name":"src/')
  return answer.status
}
