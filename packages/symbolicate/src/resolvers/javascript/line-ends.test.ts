import vm from 'node:vm'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { minify } from 'terser'
import { describe, expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const BODY = `export function pay(cart) {
  if (!cart.ok) {
    throw new TypeError("no count")
  }
}
export function open() {
  pay({})
}
globalThis.brokenCart = open
`
const HEADS: Record<string, string> = {
  'a raw template with U+2028': 'globalThis.sep = String.raw`a\u2028b`\n',
  'a raw template with U+2029': 'globalThis.sep = String.raw`a\u2029b`\n',
  'a template with U+2028': 'globalThis.sep = `a\u2028b`\n',
  'a text with U+2028': 'globalThis.sep = "a\u2028b"\n',
  'a legal comment with CR': '/*! lib\r * MIT\r */\nglobalThis.sep = 1\n',
  'a legal comment with U+2028': '/*! lib\u2028 MIT */\nglobalThis.sep = 1\n',
  'a comment that U+2028 ends': '// a\u2028globalThis.sep = 1\n',
}
const SOURCES: Record<string, string> = {
  ...Object.fromEntries(Object.entries(HEADS).map(([name, head]) => [name, head + BODY])),
  'CR alone': BODY.replaceAll('\n', '\r'),
  'CR LF': BODY.replaceAll('\n', '\r\n'),
}

const modules = (code: string) => ({ name: 'module', resolveId: (id: string) => id, load: () => code })
type Built = { code: string; map: string }
const TOOLS: Record<string, (source: string) => Promise<Built>> = {
  async esbuild(contents) {
    const { outputFiles } = await build({
      stdin: { contents, sourcefile: 'pay.js' },
      ...{ minify: true, bundle: true, sourcemap: 'external', write: false, outfile: 'a.js', format: 'iife' },
      ...{ charset: 'utf8', legalComments: 'inline' },
    })
    const [map = '', code = ''] = outputFiles.map(({ text }) => text)
    return { code, map }
  },
  async terser(source) {
    const { code = '', map } = await minify(
      { 'pay.js': source.replaceAll('export ', '') },
      { toplevel: true, sourceMap: { filename: 'a.js', includeSources: true }, format: { comments: 'some' } },
    )
    return { code, map: String(map) }
  },
  async Rollup(source) {
    const bundle = await rollup({ input: 'pay.js', plugins: [modules(source)], logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'iife', name: 'shop', sourcemap: true })
    return { code: output[0].code, map: String(output[0].map) }
  },
  async Rolldown(source) {
    const bundle = await rolldown({ input: 'pay.js', plugins: [modules(source)], logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'iife', name: 'shop', sourcemap: true, minify: true })
    return { code: output[0].code, map: String(output[0].map) }
  },
}

/** Runs the script. @returns V8's stack. */
function stackOf(code: string): string {
  const context = vm.createContext({})
  vm.runInContext(code, context, { filename: 'https://h/a.js' })
  try {
    vm.runInContext('globalThis.brokenCart()', context)
  } catch (error) {
    return String((error as Error).stack)
  }
  return ''
}

describe.each(Object.entries(TOOLS))('%s', (_, tool) => {
  it.each(Object.entries(SOURCES))('resolves after %s to the line that throws', async (name, source) => {
    const { code, map } = await tool(source)
    const event = { service: '', version: '', project_path: '', cli_version: '', minified_url: '/a.js' }
    const part = (name: string, text: string) => ({
      ...{ name, filename: name, path: name, bytes: text.length, content: Buffer.from(text) },
    })
    const parts = [part('source_map', map), part('minified_file', code)]
    const uploads = artifactSourceOf([{ event: { type: 'js_sourcemap', ...event }, parts }])
    const { frames } = await symbolicate({ stack: stackOf(code), service: '', version: '', near: 0 }, uploads)
    const lines = frames.flatMap(({ resolved }) => resolved?.snippet?.map(({ code }) => code) ?? [])
    expect(lines[0], name).toContain('throw new TypeError')
    expect(lines[1]).toContain('pay({})')
  })
})

it('shows no snippet if mappings point past the end of the text', async () => {
  const ask = async (text: string, column: number) => {
    // The map points to line 1 of the source, then to line 9.
    const map = { version: 3, sources: ['a.js'], sourcesContent: [text], names: [], mappings: 'AAAA,EAQA' }
    const event = { service: '', version: '', project_path: '', cli_version: '', minified_url: '/a.js' }
    const content = Buffer.from(JSON.stringify(map))
    const parts = [{ name: 'source_map', filename: 'm', path: 'm', bytes: content.length, content }]
    const uploads = artifactSourceOf([{ event: { type: 'js_sourcemap', ...event }, parts }])
    const stack = `    at f (https://h/a.js:1:${column})`
    const { frames } = await symbolicate({ stack, service: '', version: '', near: 0 }, uploads)
    return frames[0]?.resolved
  }
  expect(await ask('a\n'.repeat(9), 1)).toMatchObject({ line: 1, snippet: [{ line: 1, code: 'a' }] })
  expect(await ask('a\n'.repeat(9), 3)).toMatchObject({ line: 9, snippet: [{ line: 9, code: 'a' }] })
  for (const column of [1, 3]) expect((await ask('a\n', column))?.snippet).toBeUndefined()
})
