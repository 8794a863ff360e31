import type { SymbolUpload } from '@symup/core'
import { expect, it } from 'vitest'
import type { ArtifactSource } from './artifacts.ts'
import { parseEventText } from './events/event-text.ts'
import type { StackQuestion } from './question.ts'
import { symbolicate } from './symbolicate.ts'
import { artifactSourceOf } from './upload-source.ts'

const source: ArtifactSource = {
  ...artifactSourceOf([]),
  miniPrograms: { findMaps: async () => [], entriesOf: async () => [], releases: async () => [] },
  findNative: async () => undefined,
}
const ask = (question: Partial<StackQuestion>) =>
  symbolicate({ service: 'shop', version: '1', stack: '', ...question }, source)

const JS = '    at a (https://h/a.js:1:1)\n'

it.each<[what: string, line: string, frames: number, platform: StackQuestion['platform']]>([
  ['JavaScript', JS, 500, 'browser'],
  ['mini program', '    at a (https://usr/app-service.js:1:1)\n', 500, 'miniprogram'],
  ['ArkTS', 'at a (entry|entry|1.0.0|src/main/ets/pages/Index.ts:1:1)\n', 500, 'harmony'],
  ['Mono', 'at Shop.Cart.Total () [0x0001a] in <0123456789abcdef0123456789abcdef>:0\n', 500, 'android'],
  [
    'Dart',
    '#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7\n',
    1000,
    'android',
  ],
  ['Apple', '1 Shop 0x0000000104a3c2f4 0x104a38000 + 17140\n', 1000, 'ios'],
  ['minidump', ' 1  shop.exe + 0x1a2b\n', 1000, 'browser'],
  ['JVM', '\tat a.b.c(SourceFile:12)\n', 5000, 'android'],
  ['Android native', '#00 pc 000000000001f4c0  /data/app/lib/arm64/libfoo.so (fn+12)\n', 5000, 'android'],
])('reports that a stack from %s continues', async (_, line, frames, platform) => {
  const whole = await ask({ stack: line.repeat(frames), platform })
  expect([whole.frames.length, whole.note]).toEqual([frames, undefined])
  const cut = await ask({ stack: line.repeat(frames + 1), platform })
  expect([cut.frames.length, cut.note]).toEqual([
    frames,
    `The stack contains more frames. Only the first ${frames} frames are listed.`,
  ])
})

it('names text and lines beyond the limit', async () => {
  expect((await ask({ stack: JS + ' '.repeat(4 * 1024 * 1024) })).note).toBe(
    'The stack is too long. Only the first 4194304 characters of the stack were read.',
  )
  expect((await ask({ stack: `\tat a.b.c(SourceFile:12)\n${'x\n'.repeat(20_000)}`, platform: 'android' })).note).toBe(
    'The stack is too long. Only the first 20000 lines of the stack were read.',
  )
  expect((await ask({ stack: 'x\n'.repeat(20_000), platform: 'android' })).note).toBeUndefined()
  expect((await ask({ stack: `${'x\n'.repeat(20_000)}x`, platform: 'android' })).note).toBeDefined()
})

it('omits a line that would be read only in part', async () => {
  const stack = `${'x'.repeat(4 * 1024 * 1024 - 22)}\nf@https://h/a.js:1:12345\n`
  expect(stack.slice(4 * 1024 * 1024 - 21, 4 * 1024 * 1024)).toBe('f@https://h/a.js:1:12')
  expect((await ask({ stack })).frames).toEqual([])
})

it('counts the frames of an event before it truncates them', async () => {
  const frames = Array.from({ length: 501 }, () => ({ filename: 'https://h/a.js', function: 'f', lineno: 1, colno: 2 }))
  const { stack } = parseEventText(
    JSON.stringify({ exception: { values: [{ type: 'E', value: 'x', stacktrace: { frames } }] } }),
  )
  expect((await ask({ stack })).note).toBe('The stack contains more frames. Only the first 500 frames are listed.')
})

it('shortens a long name if every frame would repeat it, but not if only a few do', async () => {
  const name = 'a'.repeat(100 * 1024)
  const part = (filename: string, text: string) => {
    return { name: filename, filename, path: '/a', bytes: text.length, content: Buffer.from(text) }
  }
  const map = JSON.stringify({ version: 3, sources: [name], names: [], mappings: 'AAAA' })
  const event = {
    type: 'js_sourcemap',
    cli_version: '0',
    service: 'shop',
    version: '1',
    minified_url: 'https://h/b.js',
  }
  const uploaded = artifactSourceOf([
    { event, parts: [part('source_map', map), part('minified_file', 'throw 1')] } as SymbolUpload,
  ])
  const namesIn = async (frames: number) => {
    const stack = '    at f (https://h/b.js:1:1)\n'.repeat(frames)
    const answer = await symbolicate({ service: 'shop', version: '1', stack }, uploaded)
    return [...new Set(answer.frames.map(({ resolved }) => resolved?.file))]
  }
  expect(await namesIn(3)).toEqual([name])
  // The file and function names of 100 frames may have 1 MiB in total.
  expect(await namesIn(100)).toEqual([`${'a'.repeat(Math.floor((1024 * 1024) / 200))}…`])
})
