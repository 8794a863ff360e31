import { SourceMap } from 'node:module'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import { expect, it } from 'vitest'
import { keepMapsOfPages } from './vite-press.ts'

interface Chunk {
  fileName: string
  code: string
  sourcemapFileName?: string | null
}

/** A plugin that does to code and chunks what VitePress does. */
function pages(name: string) {
  return {
    name,
    async transform(code: string, id: string) {
      if (id.endsWith('.md')) return `\n<p>Hi</p>${/<script[\s\S]*script>/.exec(code)?.[0]}`
      return id.endsWith('.vue') ? code : undefined
    },
    renderChunk: (code: string) => code.replaceAll(/"(still[^"]*)"/g, '"__VP_STATIC_START__$1__VP_STATIC_END__"'),
    generateBundle(_: unknown, bundle: Record<string, Chunk>) {
      const chunk = bundle['page.js']
      if (chunk === undefined) return
      const { code } = chunk
      const lean = code.replace(/["'`]__VP_STATIC_START__[\s\S]*?__VP_STATIC_END__["'`]/g, '""')
      bundle['page.js-lean'] = { ...chunk, fileName: 'page.lean.js', code: lean }
      chunk.code = code.replace(/__VP_STATIC_(?:START|END)__/g, '')
    },
  }
}

/** Compiles the script of a component, as Vue's plugin does. */
const compiler = {
  name: 'compiler',
  transform(code: string, id: string) {
    if (!id.endsWith('.md')) return undefined
    const script = code.replace(/<p>Hi<\/p>|<\/?script[^>]*>/g, (text) => ' '.repeat(text.length))
    return transform(script, { sourcemap: true, sourcefile: id })
  },
}

const minifier = {
  name: 'minifier',
  renderChunk: (code: string) => transform(code, { minifyWhitespace: true, sourcemap: true }),
}

const FILES: Record<string, string> = {
  '/docs/page.js':
    'import "/docs/Still.vue"\nimport "/docs/guide.md"\nimport { burst } from "/docs/Widget.vue"\nburst("still, and more")',
  '/docs/guide.md': '# Guide\n\n<script setup>\nconst n = 1\nsetTimeout(() => alert(n))\n</script>\n\nText\n',
  '/docs/Still.vue': 'console.log("still\\\\n\'standing\'", "still")\n',
  '/docs/Widget.vue': '\nexport function burst(text) {\n  throw new RangeError(text)\n}',
}

const files = {
  name: 'files',
  resolveId: (id: string) => (id in FILES ? id : undefined),
  load: (id: string) => FILES[id],
}

async function built(name: string, sourcemap: 'hidden' | true = 'hidden') {
  const plugin = pages(name)
  keepMapsOfPages([false, [[plugin]]])
  keepMapsOfPages([plugin])
  const plugins = [files, plugin, compiler, minifier] as never
  const build = await rollup({ input: '/docs/page.js', plugins, onwarn: () => undefined })
  const { output } = await build.generate({ sourcemap, file: 'page.js' })
  const text = (file: string | null | undefined) => {
    const found = output.find(({ fileName }) => fileName === file)
    return found?.type === 'asset' ? String(found.source) : '{}'
  }
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? [{ chunk, map: text(chunk.sourcemapFileName) }] : []))
}

it('the pages of VitePress keep their maps, in the copies without texts, too', async () => {
  const chunks = await built('vitepress')
  expect(chunks.map(({ chunk }) => [chunk.fileName, chunk.sourcemapFileName])).toEqual([
    ['page.js', 'page.js.map'],
    ['page.lean.js', 'page.lean.js.map'],
  ])
  for (const { chunk, map } of chunks) {
    const places = [...chunk.code.matchAll(/throw|console|alert|(?<!function )burst/g)].map(({ index }) => {
      const { originalSource, originalLine } = new SourceMap(JSON.parse(map)).findEntry(0, index) as never
      return `${originalSource}:${originalLine}`
    })
    expect(places).toEqual([
      expect.stringContaining('docs/Still.vue:0'),
      expect.stringContaining('docs/guide.md:4'),
      expect.stringContaining('docs/Widget.vue:2'),
      expect.stringContaining('docs/page.js:3'),
    ])
  }
})

it('a copy names its own map', async () => {
  const chunks = await built('vitepress', true)
  expect(chunks.map(({ chunk }) => chunk.code.split('\n').slice(1))).toEqual([
    ['//# sourceMappingURL=page.js.map', ''],
    ['//# sourceMappingURL=page.lean.js.map', ''],
  ])
})

it('no other plugin is changed', async () => {
  for (const { map } of await built('other')) expect(JSON.parse(map).mappings).toBe('')
})
