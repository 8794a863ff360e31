import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectJvmMapping } from './jvm-mapping.ts'
import { MAX_MAPPING_BYTES, readMappingFacts } from './jvm-mapping-sanity.ts'

const PROGUARD = join(import.meta.dirname, '../../../../../fixtures/symbols/jvm/cases/shop-optimized/mapping.txt')
const R8 = `# compiler: R8
# compiler_version: 8.5.35
# min_api: 24
# pg_map_id: 3f1c2ab
# pg_map_hash: SHA-256 3f1c2ab
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.Main -> a.a:
# {"id":"sourceFile","fileName":"Main.kt"}
    1:1:void run():12:12 -> a
`

let root: string
let file: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-mapping-'))
  file = join(root, 'mapping.txt')
})
afterEach(() => rmSync(root, { recursive: true }))

function collect(path: string, extra: { buildId?: string } = {}) {
  return collectJvmMapping({
    file: path,
    service: 'com.example.shop',
    version: '1.2.3',
    versionCode: 12,
    variant: 'paidRelease',
    toolVersion: '0',
    ...extra,
  })
}

async function problemOf(content: string | Buffer): Promise<string[]> {
  writeFileSync(file, content)
  const { uploads, problems } = await collect(file)
  expect(uploads).toHaveLength(problems.some(({ severity }) => severity === 'error') ? 0 : 1)
  return problems.map(({ code, message }) => `${code}: ${message.replace(file, 'FILE')}`)
}

describe('uploading a mapping file', () => {
  it('follows the upload protocol', async () => {
    const { uploads, problems } = await collect(PROGUARD, { buildId: 'b-1' })
    expect(problems).toEqual([])
    expect(uploads).toEqual([
      {
        event: {
          type: 'jvm_mapping_file',
          cli_version: '0',
          service: 'com.example.shop',
          version: '1.2.3',
          version_code: 12,
          variant: 'paidRelease',
          build_id: 'b-1',
        },
        parts: [
          {
            name: 'jvm_mapping_file',
            filename: 'jvm_mapping',
            contentType: 'text/plain',
            path: PROGUARD,
            bytes: expect.any(Number),
          },
        ],
      },
    ])
  })

  it('accepts up to 500 MB without reading the file', async () => {
    writeFileSync(file, `${R8}${R8.repeat(1000)}`)
    truncateSync(file, MAX_MAPPING_BYTES - R8.length)
    const end = Buffer.from(R8)
    writeFileSync(file, end, { flag: 'a' })
    const before = process.memoryUsage.rss()
    expect((await collect(file)).problems).toEqual([])
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024)
    writeFileSync(file, end, { flag: 'a' })
    expect((await collect(file)).problems.map(({ code }) => code)).toEqual(['mapping-too-large'])
  })
})

describe('the facts about a mapping', () => {
  it('reads the R8 header of a mapping', async () => {
    writeFileSync(file, R8)
    expect(await readMappingFacts(file)).toEqual({
      bytes: R8.length,
      pgMapId: '3f1c2ab',
      entries: 2,
      renamed: 2,
    })
  })

  it.each([
    ['trimmed indents', R8.replace(/^ +/gm, '')],
    ['CRLF', R8.replaceAll('\n', '\r\n')],
    ['no newline at the end', R8.trimEnd()],
    ['a class alone', 'a.B -> c:\n'],
    ['a header alone, kept rules only', '# compiler: R8\n# pg_map_id: 1\n'],
  ])('accepts %s', async (name, content) => {
    expect(await problemOf(content)).toEqual(
      name.startsWith('a header')
        ? ['mapping-not-obfuscated: The mapping file does not rename any class or method.']
        : [],
    )
  })
})

describe('an unusable mapping', () => {
  it.each<[string, string | Buffer, string]>([
    ['an empty file', '', 'file-empty: The mapping file is empty.'],
    [
      'an HTML error page',
      '\n<!DOCTYPE html><html>404</html>',
      'mapping-invalid: The file is an HTML or XML page, not a mapping file.',
    ],
    ['JSON', '{"message":"not found"}', 'mapping-invalid: The file contains JSON, not a mapping.'],
    [
      'an archive',
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
      'mapping-invalid: The mapping file must be a text file, but the specified file is binary.',
    ],
    [
      'a list of ProGuard seeds',
      'com.example.Main\ncom.example.Main: void main(java.lang.String[])\n',
      'mapping-invalid: The file contains no line of the form "original.Class -> a.b:".',
    ],
    [
      'a truncated file',
      `${R8}    2:2:void wal`,
      'mapping-invalid: The file is truncated: its last line is incomplete.',
    ],
  ])('refuses a mapping: %s', async (_, content, problem) => {
    expect(await problemOf(content)).toEqual([problem])
  })

  it('refuses a missing mapping file or a directory', async () => {
    expect((await collect(join(root, 'none'))).problems[0]).toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('does not exist'),
    })
    expect((await collect(root)).problems[0]).toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('is a directory'),
      fix: expect.stringContaining('path of the file'),
    })
  })
})

it('warns about a mapping that renames nothing', async () => {
  const content =
    'a.B -> a.B:\n    int field -> field\n    1:2:void run(int) -> run\n    3:3:void <init>():3:3 -> <init>\n'
  expect(await problemOf(content)).toEqual([
    'mapping-not-obfuscated: The mapping file does not rename any class or method.',
  ])
})
