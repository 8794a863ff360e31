import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type OnLoadResult, type Plugin } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { TransformWatch } from './transforms.ts'
import { watchOnLoad } from './watch-on-load.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-on-load-'))
afterAll(() => rmSync(directory, { recursive: true }))
const file = join(directory, 'a.js')
const SOURCE = 'start(1)\n'
writeFileSync(file, SOURCE)

const comment = (map: object) =>
  `\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
const WHOLE = { version: 3, sources: ['a.js'], names: [], mappings: 'AAAA' }

/** Builds the file with a plugin that loads it, and says what was found of it and what was built. */
async function built(result: OnLoadResult | undefined, { name = 'user', namespace = 'file' } = {}) {
  const transforms = new TransformWatch()
  const loading: Plugin = {
    name,
    setup(own) {
      if (namespace !== 'file') own.onResolve({ filter: /a\.js$/ }, () => ({ path: file, namespace }))
      own.onLoad({ filter: /a\.js$/, namespace }, () => result)
    },
  }
  const watching: Plugin = { name: 'symup', setup: (own) => watchOnLoad(own, transforms) }
  const { outputFiles } = await build({
    entryPoints: [file],
    write: false,
    logLevel: 'silent',
    bundle: true,
    plugins: [watching, loading],
  })
  return { faults: [...transforms.faults], code: outputFiles?.[0]?.text ?? '' }
}

it.each<[string, OnLoadResult | undefined, string | undefined]>([
  ['other code without a map', { contents: 'other(1)\n' }, 'no map'],
  ['other code as bytes', { contents: Buffer.from('other(1)\n') }, 'no map'],
  ['other code with an empty map', { contents: `other(1)${comment({ ...WHOLE, mappings: '' })}` }, 'an empty map'],
  ['other code with its map', { contents: `other(1)${comment(WHOLE)}` }, undefined],
  ['the code as it is', { contents: SOURCE }, undefined],
  ['the code with other blanks at its end', { contents: `${SOURCE}\n\n` }, undefined],
  ['the code with a map', { contents: `${SOURCE}${comment({ ...WHOLE, mappings: '' })}` }, undefined],
  ['nothing', undefined, undefined],
])('a plugin that loads %s', async (_, result, returned) => {
  const { faults } = await built(result)
  expect(faults).toEqual(returned === undefined ? [] : [[file, { plugin: 'user', returned }]])
})

it('changes nothing of what is loaded', async () => {
  expect((await built({ contents: 'other(1)\n' })).code).toContain('other(1)')
  expect((await built(undefined)).code).toContain('start(1)')
})

it('does not look at our own plugins, nor at what is no file', async () => {
  expect((await built({ contents: 'other(1)\n' }, { name: 'symup:late' })).faults).toEqual([])
  const virtual = await built({ contents: 'other(1)\n' }, { namespace: 'virtual' })
  expect([virtual.faults, virtual.code.includes('other(1)')]).toEqual([[], true])
})
