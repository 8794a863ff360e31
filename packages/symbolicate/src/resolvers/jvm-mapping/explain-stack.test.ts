import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SymbolUpload } from '@symup/core'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const CASES = join(import.meta.dirname, '../../../../../fixtures/symbols/jvm/cases')

/** A source that reports each file that is opened. */
function watched(source: ArtifactSource, onOpen: () => void): ArtifactSource {
  return {
    ...source,
    findSymbolFiles: async (query, limit) =>
      ((await source.findSymbolFiles?.(query, limit)) ?? []).map((file) => ({
        ...file,
        async open(part) {
          onOpen()
          return file.open(part)
        },
      })),
  }
}

interface Release {
  service?: string
  version?: string
  variant?: string
  buildId?: string
}

function upload(
  mapping: string,
  { service = 'shop', version = '1', variant = 'release', buildId }: Release = {},
): SymbolUpload {
  return {
    event: {
      type: 'jvm_mapping_file',
      cli_version: '0',
      service,
      version,
      version_code: 1,
      variant,
      ...(buildId !== undefined && { build_id: buildId }),
    },
    parts: [
      {
        name: 'jvm_mapping_file',
        filename: 'jvm_mapping',
        path: '/mapping.txt',
        bytes: mapping.length,
        content: Buffer.from(mapping),
      },
    ],
  }
}

function explain(stack: string, uploads: SymbolUpload[], release: Release = {}) {
  const question = { stack, service: 'shop', version: '1', platform: 'android' as const, ...release }
  return createSymbolicator().symbolicate(question, artifactSourceOf(uploads))
}

async function reasonOf(frame: string, uploads: SymbolUpload[], release: Release = {}) {
  const { frames } = await explain(`\tat ${frame}`, uploads, release)
  expect(frames).toHaveLength(1)
  return frames[0]?.resolved ?? `${frames[0]?.reason?.code}: ${frames[0]?.reason?.message}`
}

it('resolves a stack that an obfuscated program printed', async () => {
  const mapping = readFileSync(join(CASES, 'shop-optimized/mapping.txt'), 'utf8')
  const { frames, text } = await explain(readFileSync(join(CASES, 'shop-optimized/stack.txt'), 'utf8'), [
    upload(mapping),
  ])
  expect(frames.map(({ raw, resolved }) => [raw, resolved])).toContainEqual([
    'at a.a(SourceFile:1029)',
    {
      function: 'com.example.shop.pay.Cart.total',
      file: 'Cart.java',
      line: 50,
      inlined: [
        { function: 'com.example.shop.pay.Cart$Line.checked', file: 'Cart.java', line: 29 },
        { function: 'com.example.shop.pay.Cart$Line.unit', file: 'Cart.java', line: 24 },
        { function: 'com.example.shop.pay.Cart$Line.price', file: 'Cart.java', line: 20 },
      ],
    },
  ])
  expect(frames.every(({ resolved, reason }) => resolved !== null || reason?.code === 'not-a-project-frame')).toBe(true)
  expect(text).toBe(readFileSync(join(CASES, 'shop-optimized/expected.txt'), 'utf8'))
})

it('marks ambiguities in a stack without lines', async () => {
  const { frames } = await explain('at a.a(Unknown Source)', [
    upload('s.R -> a:\n  void foo(int) -> a\n  int bar() -> a\n'),
  ])
  expect(frames[0]).toEqual({
    raw: 'at a.a(Unknown Source)',
    function: 'a.a',
    file: 'Unknown Source',
    resolved: { function: 's.R.foo', file: 'R.java', candidates: [{ function: 's.R.bar', file: 'R.java' }] },
  })
})

it('skips a member with an excessively long name, which each frame of a stack would repeat', async () => {
  const mapping = `s.R -> a:\n  1:2:void foo():7:8 -> b\n  1:2:void ${'f'.repeat(1024 * 1024)}():1:2 -> a\n`
  const answer = await explain(`${'at a.a(SourceFile:1)\n'.repeat(500)}at a.b(SourceFile:1)`, [upload(mapping)])
  expect(answer.frames.at(-1)).toMatchObject({ resolved: { function: 's.R.foo', line: 7 } })
  expect(JSON.stringify(answer).length).toBeLessThan(1024 * 1024)
})

it('returns no text if repeated names would exceed the memory limit', async () => {
  const inlined = Array.from({ length: 200 }, (_, nth) => {
    return `  1:1:void ${'f'.repeat(4_000)}${nth}():${nth === 0 ? '7:7' : '8'} -> b\n`
  })
  const files = [upload(`s.R -> a:\n${inlined.join('')}`)]
  expect((await explain('at a.b(SourceFile:1)', files)).text).toContain('ffff0(R.java:7)')
  const answer = await explain('at a.b(SourceFile:1)\n'.repeat(4), files)
  expect(answer.text).toBeUndefined()
  expect(answer.frames[0]?.resolved?.inlined).toHaveLength(199)
})

describe('an unresolved frame', () => {
  const MAPPING = 's.R -> a:\n  1:2:void foo():7:8 -> b\n'
  const files = [upload(MAPPING)]

  it.each([
    ['java.lang.Thread.run(Thread.java:1)', 'not-a-project-frame: '],
    [
      'okhttp3.Call.run(SourceFile:1)',
      'not-in-mapping: The mapping does not contain the class okhttp3.Call. Either the class was not renamed',
    ],
    ['a.b(SourceFile:99)', 'no-mapping-at-position: The mapping contains no entry for line 99 of the method b in s.R.'],
  ])('explains an unresolved frame: %s', async (frame, expected) => {
    expect(await reasonOf(frame, files)).toContain(expected)
  })

  it.each<[string, Release, string]>([
    [
      'another version',
      { version: '2' },
      'version-mismatch: No upload for shop has the version 2. Uploaded versions: 1.',
    ],
    [
      'another service',
      { service: 'till' },
      'service-mismatch: The mapping file for version 1 was uploaded for shop, but not for the service till.',
    ],
    ['no mapping at all', { service: 'x', version: '9' }, 'no-artifact: No mapping file was uploaded for x 9.'],
    [
      'another variant',
      { variant: 'paid' },
      'no-artifact: The mapping file of shop 1 was uploaded for release, but not for paid.',
    ],
  ])('explains an unresolved frame by %s', async (_, release, expected) => {
    expect(await reasonOf('a.b(SourceFile:1)', files, release)).toBe(expected)
  })

  it('reports a file that is not a mapping', async () => {
    expect(await reasonOf('a.b(SourceFile:1)', [upload('nothing')])).toBe(
      'map-unusable: The uploaded mapping file cannot be read. The file contains no classes.',
    )
  })

  it('recognizes code that the compiler generated', async () => {
    const mapping = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}\ns.R$$Lambda -> a:\n  void run() -> b\n    # {"id":"com.android.tools.r8.synthesized"}\n`
    expect(await reasonOf('a.b(SourceFile:1)', [upload(mapping)])).toContain('compiler-generated: ')
  })
})

describe('one of several mappings in a release', () => {
  const header = (id: string) => `# compiler: R8\n# pg_map_id: ${id}\n`
  const files = [
    upload(`${header('aaa1111')}s.Free -> a:\n  1:1:void x():1:1 -> b\n`, { variant: 'free', buildId: 'f' }),
    upload(`${header('bbb2222')}s.Paid -> a:\n  1:1:void x():1:1 -> b\n`, { variant: 'paid', buildId: 'p' }),
  ]

  it.each<[string, string, Release, string]>([
    ['as the newest', 'SourceFile', {}, 's.Free.x'],
    ['by the requested variant', 'SourceFile', { variant: 'paid' }, 's.Paid.x'],
    ['by the requested build', 'SourceFile', { buildId: 'p' }, 's.Paid.x'],
    ['by the build that the frames name', 'r8-map-id-bbb2222', {}, 's.Paid.x'],
    ['by the build that the frames name in full', 'r8-map-id-bbb2222333344445555', {}, 's.Paid.x'],
  ])('chooses a mapping %s', async (_, file, release, expected) => {
    expect(await reasonOf(`a.b(${file}:1)`, files, release)).toMatchObject({ function: expected })
  })

  it('chooses a mapping even if more than twenty newer builds exist', async () => {
    const builds = Array.from({ length: 30 }, (_, nth) => `ccc${String(nth).padStart(4, '0')}`)
    const nightly = builds.map((id, nth) => upload(`${header(id)}s.B${nth} -> a:\n  1:1:void x():1:1 -> b\n`))
    expect(await reasonOf('a.b(r8-map-id-ccc0029:1)', nightly)).toMatchObject({ function: 's.B29.x' })
  })

  it('reports that a mapping was never uploaded, even among many builds', async () => {
    const nightly = Array.from({ length: 30 }, (_, nth) => upload(`${header(`ddd${nth}`)}s.R -> a:\n`))
    expect(await reasonOf('a.b(r8-map-id-eee0000:1)', nightly)).toMatch(/^mapping-mismatch: /)
  })

  it('chooses no mapping if none matches the build in the frames', async () => {
    expect(await reasonOf('a.b(r8-map-id-ccc3333:1)', files)).toBe(
      'mapping-mismatch: The frame is from the build with the mapping id ccc3333, but the uploaded mapping has the id aaa1111.',
    )
    // Names from another build's mapping must not appear in the text.
    expect(await explain('a: x\n\tat a.b(r8-map-id-ccc3333:1)', files)).not.toHaveProperty('text')
    expect((await explain('a: x\n\tat a.b(r8-map-id-aaa1111:1)', files)).text).toMatch(
      /^s\.Free: x\n\s+at s\.Free\.x\(/,
    )
  })
})

it('indexes a mapping once for simultaneous requests', async () => {
  const source = artifactSourceOf([upload('s.R -> a:\n  1:1:void x():1:1 -> b\n')])
  let read = 0
  const counting = watched(source, () => read++)
  const question = { stack: 'at a.b(X:1)', service: 'shop', version: '1', platform: 'android' as const }
  await createSymbolicator().symbolicate(question, counting)
  const once = read
  expect(once).toBeGreaterThan(0)
  const { symbolicate } = createSymbolicator()
  const answers = await Promise.all(Array.from({ length: 10 }, () => symbolicate(question, counting)))
  expect(answers.every(({ frames }) => frames[0]?.resolved?.function === 's.R.x')).toBe(true)
  await symbolicate(question, counting)
  expect(read).toBe(2 * once)
})

it('keeps native frames of a hybrid stack in place', async () => {
  const stack =
    '"main" prio=5 tid=1 Native\n  native: #00 pc 00000000000c64bc  /apex/lib64/libc.so (nanosleep+12)\n  at a.b(SourceFile:1)'
  const { frames, text } = await explain(stack, [upload('s.R -> a:\n  1:1:void x():1:1 -> b\n')])
  expect(frames).toMatchObject([
    {
      raw: '#00 pc 00000000000c64bc  /apex/lib64/libc.so (nanosleep+12)',
      reason: { code: 'not-a-project-frame' },
    },
    { resolved: { function: 's.R.x' } },
  ])
  expect(text).toBeUndefined()
})

describe('hostile input for a mapping', () => {
  it.each<[string, string, string]>([
    ['an endless line', `a.B -> c:\n${'x'.repeat(9_000_000)}`, 'map-unusable'],
    ['an endless class', `a.B -> a:\n${'  1:1:void x():1:1 -> y\n'.repeat(400_000)}`, 'map-unusable'],
    [
      'invalid JSON',
      `s.R -> a:\n# {"id":\n# {{{{\n  1:1:void x():1:1 -> b\n# {'id':'${'x'.repeat(5000)}\n`,
      'resolved',
    ],
    ['excessive numbers', 's.R -> a:\n  99999999999:1:void x():1:1 -> b\n  1:1:void x():1:1 -> b\n', 'resolved'],
    ['names from the object prototype', '__proto__ -> a:\n  1:1:void constructor():1:1 -> b\n', 'resolved'],
    ['reversed ranges', 's.R -> a:\n  5:1:void x() -> b\n  1:5:void x():9:2 -> b\n', 'resolved'],
  ])('handles %s', async (_, mapping, expected) => {
    const found = await reasonOf('a.b(SourceFile:1)', [upload(mapping)])
    expect(typeof found === 'string' ? found.split(':')[0] : 'resolved').toBe(expected)
  })

  it('resolves the frames and the text of the cause of a stack overflow', async () => {
    const files = [upload('s.R -> a:\n  1:1:void x():1:1 -> b\n  2:2:void y():2:2 -> c\n')]
    const overflow = `java.lang.StackOverflowError${'\n\tat a.b(X:1)'.repeat(1024)}`
    const { frames, text } = await explain(`${overflow}\nCaused by: java.io.IOException\n\tat a.c(X:2)`, files)
    expect(frames).toHaveLength(1025)
    expect(frames.at(-1)?.resolved).toMatchObject({ function: 's.R.y', line: 2 })
    expect(text).toMatch(/\n\tat s\.R\.x\(R\.java:1\)\nCaused by: java\.io\.IOException\n\tat s\.R\.y\(R\.java:2\)$/)
    const long = await explain('at a.b(X:1)\n'.repeat(6000), files)
    expect([long.frames.length, long.text?.split('\n').length]).toEqual([5000, 5000])
  })

  it('resolves a long stack of ambiguous frames to the likeliest methods', async () => {
    const overloads = Array.from({ length: 150 }, (_, nth) => `  void method${nth}(T${nth}) -> b\n`).join('')
    const files = [upload(`s.R -> a:\n${overloads}`)]
    const { frames, text } = await explain('\tat a.b(X)\n'.repeat(140), files)
    expect(new Set(frames.map(({ resolved }) => JSON.stringify(resolved)))).toEqual(
      new Set([JSON.stringify({ function: 's.R.method0', file: 'R.java' })]),
    )
    expect(text).toBeUndefined()
    expect((await explain('\tat a.b(X)\n'.repeat(100), files)).frames[0]?.resolved?.candidates).toHaveLength(149)
  })
})
