import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const FIXTURES = resolve(import.meta.dirname, '../../../../../fixtures/symbols/preload-helper')

function sourceOf(script: string, map: string): ArtifactSource {
  const event = { service: '', version: '', project_path: '', cli_version: '', minified_url: '/a.js' }
  const part = (name: string, content: string) => ({
    ...{ name, filename: name, path: name, bytes: content.length, content: Buffer.from(content) },
  })
  const parts = [part('source_map', map), part('minified_file', script)]
  return artifactSourceOf([{ event: { type: 'js_sourcemap', ...event }, parts }])
}

/** The source of each position in a script. */
async function sourcesAt(script: string, map: string, places: readonly number[]) {
  const stack = places
    .map((at) => {
      const before = script.slice(0, at).split('\n')
      return `    at f (https://h/a.js:${before.length}:${(before.at(-1) as string).length + 1})`
    })
    .join('\n')
  const { frames } = await symbolicate({ stack, service: '', version: '' }, sourceOf(script, map))
  return frames.map(({ resolved, reason }) => resolved?.file ?? reason?.code)
}

const callsIn = (script: string) => [...script.matchAll(/[\w$](?=\()/g)].map(({ index }) => index)

it.each([
  ['vite-5', 'compiler-generated'],
  ['vite-7', 'compiler-generated'],
  // Rolldown itself marks the code as having no source.
  ['vite-8', 'no-mapping-at-position'],
])("attributes the preload helper in %s after a module's code to no source", async (name, code) => {
  const script = readFileSync(join(FIXTURES, `${name}.js`), 'utf8')
  const map = readFileSync(join(FIXTURES, `${name}.js.map`), 'utf8')
  const start = script.search(/modulepreload["`],/)
  const helper = ['Unable to preload', 'querySelector', 'addEventListener', 'appendChild'].map((it) =>
    script.indexOf(it, start),
  )
  expect(await sourcesAt(script, map, helper)).toEqual(helper.map(() => code))
  const own = [script.indexOf('toFixed'), script.indexOf('toUpperCase'), script.lastIndexOf('addEventListener')]
  expect(await sourcesAt(script, map, own)).toEqual(['src/price.js', 'src/label.js', 'src/main.js'])
})

it.each([true, false])('keeps the source of calls in ordinary code (minified: %s)', async (minify) => {
  const modules: Record<string, string> = {
    'a.js':
      'export const a = (list) => list.map((x) => x.id.trim()).filter(function (y) { return y.at(0) })\nexport class A { run() { return this.go(() => this.stop()) } }',
    'b.js':
      "import { a, A } from './a.js'\nexport async function b() { await new A().run(); return a([{ id: fetch(String(a)) }]) }",
    'c.js':
      "import { b } from './b.js'\nb().then((all) => all.forEach((one) => console.log(one.name.at(1))), () => process.exit())",
  }
  const { outputFiles } = await build({
    ...{ entryPoints: ['c.js'], bundle: true, write: false, sourcemap: 'external', outfile: 'a.js', minify },
    plugins: [
      {
        name: 'modules',
        setup(hooks) {
          hooks.onResolve({ filter: /./ }, ({ path }) => ({ path: path.replace('./', ''), namespace: 'shop' }))
          hooks.onLoad({ filter: /./ }, ({ path }) => ({ contents: modules[path] as string }))
        },
      },
    ],
  })
  const [map = '', script = ''] = outputFiles.map(({ text }) => text)
  const found = await sourcesAt(script, map, callsIn(script))
  expect(found.filter((it) => it === 'compiler-generated')).toEqual([])
  expect(found.filter((it) => it?.endsWith('.js')).length).toBeGreaterThan(10)
})
