import { compileFunction } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from './artifacts.ts'
import type { ReasonCode, ResolvedFrame } from './frames.ts'
import { createSymbolicator, symbolicate } from './symbolicate.ts'
import { artifactSourceOf } from './upload-source.ts'

const SOURCE = `export class Till {
  open(amount: number) {
    if (amount < 0) throw new RangeError('below zero ' + amount)
    return amount
  }
}
export const pay = (amount: number) => new Till().open(amount)
export default function checkout() {
  return pay(-1)
}
`

/** A minified script with its map, and V8's stack when its default export throws. */
async function minified(path: string, change: (map: Record<string, unknown>) => unknown = (map) => map) {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, sourcefile: 'src/till.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'cjs',
    sourcemap: 'external',
    outdir: '/out',
    write: false,
  })
  const [map, script] = ['.map', '.js'].map(
    (end) => outputFiles.find((file) => file.path.endsWith(end))?.text as string,
  )
  const module: { exports: { default?(): unknown } } = { exports: {} }
  compileFunction(script as string, ['module'], { filename: `https://h${path}` })(module)
  const stack = thrownBy(() => module.exports.default?.())
  return { stack, script: script as string, map: JSON.stringify(change(JSON.parse(map as string))) }
}

function thrownBy(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).stack as string
  }
  throw new Error('it did not throw')
}

function sourceOf(
  ...artifacts: { service?: string; version?: string; path: string; map: string; script?: string }[]
): ArtifactSource {
  return artifactSourceOf(
    artifacts.map(({ service = 'shop', version = '1', path, map, script }) => ({
      event: {
        type: 'js_sourcemap',
        service,
        version,
        minified_url: path,
        project_path: '',
        cli_version: '',
      } as never,
      parts: [
        { name: 'source_map', fileName: 'a.js.map', path: `${path}.map`, bytes: map.length, content: Buffer.from(map) },
        ...(script === undefined
          ? []
          : [{ name: 'minified_file', fileName: 'a.js', path, bytes: script.length, content: Buffer.from(script) }]),
      ] as never,
    })),
  )
}

const ask = async (stack: string, source: ArtifactSource, version = '1', service = 'shop'): Promise<ResolvedFrame[]> =>
  (await symbolicate({ stack, service, version }, source)).frames

describe('resolving a frame', () => {
  it('returns the original file, line, column, function and snippet', async () => {
    const { stack, map, script } = await minified('/a.js')
    const frames = await ask(stack, sourceOf({ path: '/a.js', map, script }))
    expect(frames.slice(0, 3).map(({ resolved }) => resolved)).toMatchObject([
      { function: 'Till.open', file: 'src/till.ts', line: 3, column: 27 },
      { function: 'pay', file: 'src/till.ts', line: 7 },
      { function: 'checkout', file: 'src/till.ts', line: 9 },
    ])
    expect(frames[0]?.resolved?.snippet?.find(({ line }) => line === 3)?.code).toContain(
      "throw new RangeError('below zero",
    )
  })

  it('reads maps with sections', async () => {
    const { stack, map, script } = await minified('/a.js', (plain) => ({
      version: 3,
      sections: [{ offset: { line: 1, column: 0 }, map: plain }],
    }))
    const moved = stack.replaceAll(/a\.js:1:/g, 'a.js:2:')
    const frames = await ask(moved, sourceOf({ path: '/a.js', map, script: `// banner\n${script}` }))
    expect(frames[0]?.resolved).toMatchObject({ function: 'Till.open', file: 'src/till.ts', line: 3 })
  })

  it.each([
    ['V8', (at: string) => `RangeError: x\n    at n.open (https://h/a.js?v=1#x:${at})\n    at https://h/a.js:${at}`],
    [
      'V8, asynchronous',
      (at: string) => `RangeError: x\n    at async n.open (https://h/a.js:${at})\n    at async https://h/a.js:${at}`,
    ],
    ['SpiderMonkey', (at: string) => `open@https://h/a.js:${at}\nasync*@https://h/a.js:${at}`],
    ['JavaScriptCore', (at: string) => `open@https://h/a.js:${at}\nglobal code@https://h/a.js:${at}\n`],
    [
      'the RUM SDK',
      (at: string) => `RangeError: x\n  at open @ https://h/a.js:${at}\n  at <anonymous> @ https://h/a.js:${at}`,
    ],
    [
      'text with Windows line endings',
      (at: string) => `RangeError: x\r\n    at open (https://h/a.js:${at})\r\n    at https://h/a.js:${at}\r\n`,
    ],
  ])('reads stacks from %s', async (_, written) => {
    const { stack, map, script } = await minified('/a.js')
    const at = /a\.js:(\d+:\d+)/.exec(stack)?.[1] as string
    const frames = await ask(written(at), sourceOf({ path: '/a.js', map, script }))
    expect(frames.map(({ resolved }) => resolved?.line)).toEqual([3, 3])
  })

  it.each([
    ['/app/a b.js', 'https://h/app/a%20b.js'],
    ['https://cdn.example.com/app/é.js', 'https://other/app/%C3%A9.js'],
    ['/app/a.js', 'https://h//app//a.js'],
    ['app/a.js', 'https://h:8443/app/a.js'],
  ])('finds the upload %s for the URL %s', async (uploaded, reported) => {
    const { stack, map, script } = await minified('/x.js')
    const at = /x\.js:(\d+:\d+)/.exec(stack)?.[1]
    const [frame] = await ask(`    at a (${reported}:${at})`, sourceOf({ path: uploaded, map, script }))
    expect(frame?.resolved?.line).toBe(3)
  })

  it('parses each map once, regardless of the number of frames and calls', async () => {
    const { stack, map, script } = await minified('/a.js')
    const inner = sourceOf({ path: '/a.js', map, script })
    let reads = 0
    const counting: ArtifactSource = {
      ...inner,
      async findScripts(...query) {
        return (await inner.findScripts(...query)).map((found) => ({
          ...found,
          readMap() {
            reads++
            return found.readMap()
          },
        }))
      },
    }
    const symbolicator = createSymbolicator()
    for (let call = 0; call < 3; call++)
      await symbolicator.symbolicate({ stack, service: 'shop', version: '1' }, counting)
    expect(reads).toBe(1)
  })
})

describe('reasons for unresolved frames', () => {
  const reasonOf = async (stack: string, source: ArtifactSource, version?: string, service?: string) =>
    (await ask(stack, source, version, service))[0]?.reason
  const expectReason = async (code: ReasonCode, words: string[], ...question: Parameters<typeof reasonOf>) => {
    const reason = await reasonOf(...question)
    expect(reason?.code).toBe(code)
    for (const word of words) expect(`${reason?.message} ${reason?.fix}`).toContain(word)
  }
  const FRAME = '    at a (https://h/js/a.js:1:5)'
  const EMPTY_MAP = '{"version":3,"sources":[],"names":[],"mappings":""}'

  it('version-mismatch names the available versions', async () => {
    const source = sourceOf(
      { version: '1.2.3', path: '/js/a.js', map: EMPTY_MAP },
      { version: '1.2.2', path: '/js/a.js', map: EMPTY_MAP },
    )
    await expectReason('version-mismatch', ['version 1.2.4', '1.2.3, 1.2.2'], FRAME, source, '1.2.4')
  })
  it('no-mapping-at-position is reported', () =>
    expectReason('no-mapping-at-position', ['line 1, column 5'], FRAME, sourceOf({ path: '/js/a.js', map: EMPTY_MAP })))
  it('not-a-project-frame is reported', async () => {
    for (const place of [
      'node:internal/x:1:2',
      'chrome-extension://abc/x.js:1:2',
      '<anonymous>',
      'native',
      '[eval]:1:47',
    ]) {
      await expectReason('not-a-project-frame', [], `    at f (${place})`, sourceOf())
    }
    await expectReason('not-a-project-frame', [], 'f@[native code]', sourceOf())
  })
  it('no-position is reported', () =>
    expectReason(
      'no-position',
      ['column'],
      '    at f (https://h/js/a.js:1)',
      sourceOf({ path: '/js/a.js', map: EMPTY_MAP }),
    ))
  it('map-unusable is reported', async () => {
    for (const map of ['<html>', '', '{"version":3}', 'null', '[]', '{"version":3,"sources":5,"mappings":7}']) {
      await expectReason('map-unusable', ['/js/a.js'], FRAME, sourceOf({ path: '/js/a.js', map }))
    }
  })
  it('minified-file-differs is reported for another debug id or a position past the end of the uploaded file', async () => {
    const [id, other] = ['1', '2'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
    const stored = sourceOf({ path: '/js/a.js', map: EMPTY_MAP, script: 'x()' })
    const [found] = await stored.findScripts({ service: 'shop', version: '1' }, ['/js/a.js'])
    const source = { ...stored, findScripts: async () => (found ? [{ ...found, debugId: id as string }] : []) }
    const debugIds = { 'https://h/js/a.js': other as string }
    const { frames } = await symbolicate({ stack: FRAME, service: 'shop', version: '1', debugIds }, source)
    expect(frames[0]?.reason?.message).toContain(`debug id ${other}, but the uploaded file /js/a.js contains ${id}.`)
    await expectReason('minified-file-differs', ['1:5', 'ends at column 3.'], FRAME, stored)
    await expectReason('minified-file-differs', ['7:1', 'ends at line 1.'], '    at f (https://h/js/a.js:7:1)', stored)
    await expectReason('no-position', ['0:1', 'line numbers start at 1'], '    at f (https://h/js/a.js:0:1)', stored)
  })
  it('uploaded-after-event is reported once for a file that now resolves', async () => {
    const { stack, map, script } = await minified('/a.js')
    const stored = sourceOf({ path: '/a.js', map, script })
    const [found] = await stored.findScripts({ service: 'shop', version: '1' }, ['/a.js'])
    const uploadedAt = Date.UTC(2026, 1, 1, 12)
    const source = { ...stored, findScripts: async () => (found ? [{ ...found, uploadedAt }] : []) }
    const asked = { stack, service: 'shop', version: '1' }
    const { frames } = await symbolicate({ ...asked, eventTime: uploadedAt - 3_600_000 }, source)
    const reasons = frames.filter(({ resolved }) => resolved).map((frame) => frame.reason?.message)
    expect(reasons.filter(Boolean)).toEqual([
      'The event occurred at 2026-02-01T11:00:00.000Z, but the files were uploaded at 2026-02-01T12:00:00.000Z.',
    ])
    const later = await symbolicate({ ...asked, eventTime: uploadedAt + 1 }, source)
    expect(later.frames[0]?.reason).toBeUndefined()
  })
})

describe('hostile input', () => {
  it('accepts endless frames, endless lines and nonsense without crashing', async () => {
    const source = sourceOf()
    expect((await ask('    at a (https://h/a.js:1:1)\n'.repeat(100_000), source)).length).toBe(500)
    expect(await ask(`at ${'a'.repeat(5_000_000)} (b:1:1)`, source)).toEqual([])
    expect(await ask('\0\u2028'.repeat(1000), source)).toEqual([])
    const huge = await ask(
      '    at a (https://h/a.js:999999999:999999999)',
      sourceOf({ path: '/a.js', map: '{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}' }),
    )
    expect(huge[0]?.resolved ?? huge[0]?.reason).toBeDefined()
  })

  it('never reads a file because of a name or path in a map, which is text', async () => {
    const map = JSON.stringify({
      version: 3,
      sources: ['../../../etc/passwd', '<img src=x onerror=alert(1)>'],
      names: [],
      mappings: 'AAAA,CCAA',
    })
    const frames = await ask(
      '    at a (https://h/a.js:1:1)\n    at b (https://h/a.js:1:2)',
      sourceOf({ path: '/a.js', map }),
    )
    expect(frames[0]?.resolved).toEqual({ file: 'etc/passwd', line: 1, column: 1 })
    expect(frames[1]?.resolved?.file).toBe('<img src=x onerror=alert(1)>')
  })

  it('loses only the names if a script cannot be parsed', async () => {
    const { stack, map } = await minified('/a.js')
    const [frame] = await ask(stack, sourceOf({ path: '/a.js', map, script: '}{ not javascript'.padEnd(10_000) }))
    expect(frame?.resolved).toMatchObject({ file: 'src/till.ts', line: 3 })
    expect(frame?.resolved?.function).toBeUndefined()
  })
})
