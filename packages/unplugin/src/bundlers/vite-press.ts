import type { DecodedSourceMap } from '@jridgewell/remapping'
import { lineAt, lineStartsOf } from '@symup/core/internal'
import { pluginsIn } from '../plugin-list.ts'

type Handler = (this: unknown, code: string, ...more: unknown[]) => unknown

interface BundleFile {
  type: string
  fileName: string
  code?: string
  map?: object | null
  sourcemapFileName?: string | null
  source?: unknown
}
type Bundle = Record<string, BundleFile>
interface Context {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): void
}

/** What is used of VitePress's plugin. */
interface VitePress {
  name?: unknown
  transform?: unknown
  renderChunk?: unknown
  generateBundle?: unknown
}

/** Plugins whose hooks are wrapped already: a config may be resolved more than once. */
const wrapped = new WeakSet<object>()

/**
 * Has VitePress keep the maps of its pages. It gives code back without a map, by which Rollup and its kin drop what they know: of every component, which it does
 * not change, and of every page's chunk, where it puts marks into texts. Later it takes the marks out of the chunk, and the marked texts out of a copy for a
 * browser's first page, whose maps follow here. Of a page it makes a component, of which only the page's own scripts lead back.
 * @param plugins of the build: nested, with gaps.
 */
export function keepMapsOfPages(plugins: unknown): void {
  for (const plugin of pluginsIn(plugins) as VitePress[]) {
    if (plugin.name !== 'vitepress' || wrapped.has(plugin)) continue
    wrapped.add(plugin)
    const { transform, renderChunk, generateBundle } = plugin
    if (typeof transform === 'function')
      plugin.transform = answered(transform as Handler, (made, code) => (made === code ? null : withMap(made, code)))
    if (typeof renderChunk !== 'function' || typeof generateBundle !== 'function') continue
    plugin.renderChunk = answered(renderChunk as Handler, (made) =>
      typeof made === 'string' ? { code: made, map: null } : made,
    )
    plugin.generateBundle = async function (this: Context, options: unknown, bundle: Bundle, ...more: unknown[]) {
      const marked = new Map(Object.values(bundle).map(({ fileName, code = '' }) => [fileName, code]))
      await generateBundle.call(this, options, bundle, ...more)
      for (const chunk of Object.values(bundle)) await moveMap(this, chunk, { bundle, marked })
    }
  }
}

function answered(handler: Handler, answer: (made: unknown, code: string) => unknown): Handler {
  return function (code, ...more) {
    const made = handler.call(this, code, ...more)
    return made instanceof Promise ? made.then((result) => answer(result, code)) : answer(made, code)
  }
}

const SCRIPT = /<script\b[^>]*>[\s\S]*?<\/script>/g

/** A component made of a page, with a map of the scripts that are taken over as they are. */
async function withMap(made: unknown, page: string): Promise<unknown> {
  if (typeof made !== 'string') return made
  const mappings: DecodedSourceMap['mappings'] = made.split('\n').map(() => [])
  for (const { 0: script, index } of made.matchAll(SCRIPT)) {
    const from = page.indexOf(script)
    if (from === -1) continue
    const [[row, column], [ownRow, ownColumn]] = [placeOf(made, index), placeOf(page, from)]
    for (const [line, text] of script.split('\n').entries()) {
      const [begin, own] = line === 0 ? [column, ownColumn] : [0, 0]
      for (let at = 0; at < text.length; at++) mappings[row + line]?.push([begin + at, 0, ownRow + line, own + at])
    }
  }
  if (mappings.every(({ length }) => length === 0)) return made
  const { default: remapping } = await import('@jridgewell/remapping')
  const map = remapping({ version: 3, sources: ['page'], sourcesContent: [page], names: [], mappings }, () => null)
  return { code: made, map: map.toString() }
}

function placeOf(text: string, offset: number): [line: number, column: number] {
  const starts = lineStartsOf(text)
  const line = lineAt(offset, starts)
  return [line, offset - (starts[line] as number)]
}

/** What VitePress takes out of a page's chunk, and out of the copy. */
const [MARK, TEXT] = [/__VP_STATIC_(?:START|END)__/g, /["'`]__VP_STATIC_START__[\s\S]*?__VP_STATIC_END__["'`]/g]
const LEAN = /\.lean\.js$/

async function moveMap(
  context: Context,
  chunk: BundleFile,
  { bundle, marked }: { bundle: Bundle; marked: ReadonlyMap<string, string> },
): Promise<void> {
  const { fileName, code = '', map, sourcemapFileName } = chunk
  const before = marked.get(fileName.replace(LEAN, '.js'))
  if (!map || !sourcemapFileName || before === undefined || before === code) return
  const isLean = LEAN.test(fileName)
  const left = isLean ? leave(before, TEXT, '""') : leave(before, MARK, '')
  if (left.code !== code) return
  const { default: remapping } = await import('@jridgewell/remapping')
  const source = remapping([left.map, JSON.stringify(map)], () => null).toString()
  if (isLean) {
    const name = `${fileName}.map`
    chunk.sourcemapFileName = name
    chunk.code = code.replace(/(\n\/\/# sourceMappingURL=\S*)\.js\.map\s*$/, '$1.lean.js.map\n')
    context.emitFile({ type: 'asset', fileName: name, source })
  } else if (bundle[sourcemapFileName]) {
    bundle[sourcemapFileName].source = source
  }
}

/** Code with other text in some places, and the map that leads from each character that is left to its place before. */
function leave(before: string, pattern: RegExp, instead: string): { code: string; map: DecodedSourceMap } {
  const mappings: DecodedSourceMap['mappings'] = [[]]
  let [code, end, column, row, at] = ['', 0, 0, 0, 0]
  const go = (to: number, isLeft: boolean) => {
    for (; end < to; end++) {
      const isNewLine = before[end] === '\n'
      if (isLeft) mappings.at(-1)?.push([column++, 0, row, at])
      if (isLeft && isNewLine) [column] = [0, mappings.push([])]
      ;[row, at] = isNewLine ? [row + 1, 0] : [row, at + 1]
    }
  }
  for (const {
    0: { length },
    index,
  } of before.matchAll(pattern)) {
    code += before.slice(end, index) + instead
    go(index, true)
    go(index + length, false)
    column += instead.length
  }
  code += before.slice(end)
  go(before.length, true)
  return { code, map: { version: 3, sources: ['before'], names: [], mappings } }
}
