import { expect, it } from 'vitest'
import { symbolicate } from '../symbolicate.ts'
import { artifactSourceOf } from '../upload-source.ts'

const RELEASE = { service: 'shop', version: '1' }
const map = Buffer.from(JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }))
const uploaded = artifactSourceOf([
  {
    event: { type: 'js_sourcemap', ...RELEASE, minified_url: '/a.js', project_path: '', cli_version: '' },
    parts: [{ name: 'source_map', fileName: 'a.js.map', path: 'a.js.map', bytes: map.length, content: map }],
  } as never,
])

it('resolves the frame from an uploaded file, however many others are missing, and searches for each missing file once', async () => {
  const asked: string[] = []
  const source = {
    ...uploaded,
    findScriptsNamed: async (...query: Parameters<typeof uploaded.findScriptsNamed>) => {
      asked.push(query[0])
      return uploaded.findScriptsNamed(...query)
    },
  }
  const missing = Array.from({ length: 80 }, (_, nth) => `    at f (https://h/gone${nth % 40}.js:1:1)`)
  const budget = { isSpent: () => asked.length > 20, isCancelled: () => false }
  const stack = [...missing, '    at f (https://h/a.js:1:1)'].join('\n')
  const { frames } = await symbolicate({ stack, ...RELEASE, budget }, source)
  expect(frames.at(-1)).toMatchObject({ resolved: { file: 'a.ts' } })
  expect(frames[0]).toMatchObject({ reason: { code: 'no-artifact' } })
  expect(frames[79]).toMatchObject({ reason: { code: 'out-of-time' } })
  asked.length = 0
  await symbolicate({ stack, ...RELEASE }, source)
  for (const name of new Set(asked)) expect(asked.filter((it) => it === name).length).toBeLessThan(6)
})
