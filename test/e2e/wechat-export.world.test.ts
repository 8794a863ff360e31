import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { CheckDocument } from '@symup/core'
import { beforeAll, expect, it } from 'vitest'
import { symup } from '../support/command.ts'
import { type CraftedEntry, writeZip } from '../support/crafted-zip.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

// The exact form of the zips that WeChat's devtools and miniprogram-ci export: names with one leading slash, stored
// entries, directory entries, lower-case `sourceroot`, `miniprogram:///` sources, and the developer's notes from the
// upload.
const map = (sources: string[], mappings: string, rest: object) =>
  JSON.stringify({
    ...{ version: 3, file: '', sourceroot: '', sources, names: [], mappings },
    ...{ sourcesContent: sources.map((source) => `// ${source}\nthrow new Error("x")\n`), ...rest },
  })
const wx = { version: 1, userVersion: '1.0.2', userNotes: 'a "quoted" } note', packageVersion: 'c0ffee' }
const stored = (name: string, content = ''): CraftedEntry => {
  const data = Buffer.from(content)
  return { name, deflated: { data, bytes: data.length, crc: crc32(data) }, method: 0 }
}
const ENTRIES = [
  stored('/__FULL__/'),
  stored('/__FULL__/app-service.js.map', map(['app.js', 'miniprogram:///config/api.js'], 'AAAA,CCCA', { wx })),
  stored('/__FULL__/pages/'),
  stored('/__FULL__/pages/index/index.appservice.js.map', map(['pages/index/index.js'], 'AACA,CAAC', { wx })),
]

const directory = useDirectory()
const intake = useIntake()
beforeAll(() => {
  writeZip(join(directory, 'sourcemap.zip'), { entries: ENTRIES })
})

const run = (...args: string[]) => symup(args, { cwd: directory, env: { SYMUP_API_KEY: 'dev-api-key' } })
const upload = (version: string, ...more: string[]) =>
  run(
    ...['mini-program', 'upload', 'sourcemap.zip', '--service', 'shop', '--release-version', version],
    ...['--endpoint', intake.url, '--no-config-file', '--json', ...more],
  )
const codesOf = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout).problems as { code: string }[]).map(({ code }) => code)

it('is checked and packed', async () => {
  const checked = await run('check', 'sourcemap.zip', '--strict', '--json')
  const { files, problems } = JSON.parse(checked.stdout) as CheckDocument
  expect([checked.exitCode, problems]).toEqual([0, []])
  expect(files).toMatchObject([{ kind: 'mini-program', maps: 2 }])
  const packed = await run('mini-program', 'pack', 'sourcemap.zip', '-o', 'packed.zip', '--json')
  expect(JSON.parse(packed.stdout).maps).toMatchObject([
    { entry: '__FULL__/app-service.js.map' },
    { entry: '__FULL__/pages/index/index.appservice.js.map' },
  ])
})

it('is uploaded, and a stack of a phone resolves through it', async () => {
  const sent = await upload('1.0.2')
  expect([sent.exitCode, codesOf(sent)]).toEqual([0, []])
  const stack = 'Error: x\n    at a (https://usr/app-service.js:1:2)'
  const { frames } = await intake.resolve(stack, { type: 'miniprogram', service: 'shop', version: '1.0.2' })
  expect(frames).toMatchObject([{ resolved: { file: expect.stringMatching(/config\/api\.js$/), line: 2 } }])
})
