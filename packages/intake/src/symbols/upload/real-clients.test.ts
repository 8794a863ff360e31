import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setLanguage } from '@symup/core/text'
import { describe, expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const NATIVE = join(import.meta.dirname, '../../../../../fixtures/symbols/native/arm64-v8a')
const LIBRARY = readFileSync(join(NATIVE, 'libshop.so'))
const MAP = '{"version":3,"sources":[],"names":[],"mappings":""}'
const RANGE = { start_time: Date.now() - 60_000, end_time: Date.now() + 3_600_000 }

const caller = useCaller()

type Parts = Record<string, string | Buffer>

const { upload } = caller

const listed = async (body: object = {}) => (await caller.post('/sourcemap/list', { ...RANGE, ...body })).data.items

/** Overwrites the note that contains the GNU build id of the library. */
function withoutBuildId(): Buffer {
  const copy = Buffer.from(LIBRARY)
  const name = Buffer.from('GNU\0', 'latin1')
  for (let at = copy.indexOf(name); at >= 0; at = copy.indexOf(name, at + 4)) copy.write('XXX\0', at, 'latin1')
  return copy
}

describe('uploads from real clients', () => {
  it('accepts Unity libraries without service and version', async () => {
    const event = { type: 'ndk_symbol_file', build_id: 'an app build', arch: 'arm64' }
    expect(await upload(event, { ndk_symbol_file: LIBRARY })).toMatchObject({ status: 200, message: '' })
    const harmony = { type: 'harmony_symbol_file', arch: 'arm64', lib_name: 'libshop.so' }
    expect((await upload(harmony, { symbol_file: LIBRARY })).status).toBe(200)
  })

  it('accepts Flutter symbols for iOS as Mach-O files, found by the id that the runtime prints', async () => {
    const symbols = readFileSync(join(NATIVE, '../../flutter-apple/app.ios-arm64.symbols'))
    const event = { type: 'flutter_symbol_file', service: 'flutter', version: '1', platform: 'ios', arch: 'arm64' }
    expect(await upload(event, { flutter_symbol_file: symbols })).toMatchObject({ status: 200, message: '' })
    for (const id of ['4c4c441e55553144a18f929b64d0e3e7', '4C4C441E55553144A18F929B64D0E3E7'])
      expect(await listed({ build_id: id })).toMatchObject([{ service: 'flutter' }])
    const text = await upload(event, { flutter_symbol_file: 'text that is neither' })
    expect(text).toMatchObject({ status: 400, message: expect.stringContaining('is not an ELF file') })
  })

  it('accepts the empty version from a build without a version name', async () => {
    const mapping = 'com.example.A -> a.a:\n    void b() -> a\n'
    const event = { type: 'jvm_mapping_file', service: 's', version: '', variant: 'release' }
    expect(await upload(event, { jvm_mapping_file: mapping })).toMatchObject({ status: 200, message: '' })
    const { version: _, ...absent } = event
    expect((await upload(absent, { jvm_mapping_file: mapping })).message).toContain('event.version')
  })

  it.each(['go_build_id', 'file_hash'])('accepts a library that has only the field %s', async (field) => {
    const id = `${field}/abcDEF-123`
    const file = withoutBuildId()
    expect((await upload({ type: 'elf_symbol_file' }, { elf_symbol_file: file })).message).toContain(
      '.note.gnu.build-id',
    )
    expect(await upload({ type: 'elf_symbol_file', [field]: id }, { elf_symbol_file: file })).toMatchObject({
      status: 200,
    })
    expect(await listed({ build_id: id })).toHaveLength(1)
  })

  it('accepts uploads from git-metadata commands', async () => {
    const data = [{ files: ['src/a.ts'], hash: 'f00d', repository_url: 'https://git.example.com/a.git' }]
    const repository = JSON.stringify({ data, version: 1 })
    expect(await upload({ type: 'repository' }, { repository })).toMatchObject({ status: 200, message: '' })
    expect(await listed({ type: 'browser' })).toMatchObject([
      { git_commit_sha: 'f00d', git_repository_url: 'https://git.example.com/a.git', metadata: { type: 'repository' } },
    ])
    expect((await upload({ type: 'repository' }, {})).message).toContain('parameter repository is not valid')
    expect((await upload({ type: 'repository' }, { repository: '{}' })).status).toBe(400)
  })
})

describe('files that could never resolve a frame', () => {
  const release = { service: 's', version: '1' }
  it.each<[string, object, Parts, string]>([
    [
      'arbitrary files as Flutter symbols',
      { type: 'flutter_symbol_file', ...release },
      { flutter_symbol_file: 'hello' },
      'ELF',
    ],
    [
      'an empty ArkTS map',
      { type: 'harmony_sourcemap', ...release },
      { source_map: '{}' },
      'The file contains no source map.',
    ],
    [
      'a name cache that is not JSON',
      { type: 'harmony_sourcemap', ...release },
      { source_map: `{"entry|entry|1.0.0|a.ts":${MAP}}`, name_cache: '{' },
      'name_cache',
    ],
    [
      'a URL that contains ..',
      { type: 'js_sourcemap', ...release, minified_url: 'https://cdn/x/../a.js' },
      { source_map: MAP },
      'event.minified_url',
    ],
  ])('refuses %s', async (_, event, parts, words) => {
    const { status, message } = await upload(event, parts)
    expect([status, message]).toEqual([400, expect.stringContaining(words)])
  })
})

describe('error messages in one language', () => {
  const zh = { 'Accept-Language': 'zh-CN' }
  const js = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
  it.each<[string, object, Parts, string]>([
    ['for a missing map', js, {}, '指定的参数 source_map 无效。缺少该部分。'],
    ['for a map that is not JSON', js, { source_map: 'x' }, '指定的参数 source_map 无效。不是合法的 JSON。'],
    ['for an unknown type', { type: 'x' }, {}, '指定的参数 event.type 无效。未知的类型。'],
    ['for a missing version', { ...js, version: undefined }, { source_map: MAP }, '只有带 debug id 的 map 可以省略。'],
    [
      'for a missing build id',
      { type: 'elf_symbol_file' },
      { elf_symbol_file: withoutBuildId() },
      '未找到 .note.gnu.build-id 段。请使用 -Wl,--build-id 构建 .so',
    ],
    [
      'for a truncated library',
      { type: 'elf_symbol_file' },
      { elf_symbol_file: LIBRARY.subarray(0, 5000) },
      '指定的参数 elf_symbol_file 无效。elf_symbol_file 无法使用。',
    ],
    [
      'for another type of file',
      { type: 'ndk_symbol_file', service: 's', version: '1', arch: 'x64' },
      { ndk_symbol_file: 'a.b.C -> a:\n' },
      '该文件应以 jvm_mapping_file 而不是 ndk_symbol_file 上传。',
    ],
    [
      'for a file that is not a library',
      { type: 'ndk_symbol_file', service: 's', version: '1', arch: 'x64' },
      { ndk_symbol_file: 'no library at all' },
      'ndk_symbol_file 无法使用。它不是 ELF 文件。',
    ],
  ])('%s', async (_, event, parts, words) => {
    const { message } = await upload(event, parts, zh)
    expect(message).toContain(words)
    expect(/\p{Script=Han}/u.test(message) && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(message)).toBe(false)
  })

  it("uses the client's language for errors, not that of the process", async () => {
    setLanguage('zh')
    const cut = { elf_symbol_file: LIBRARY.subarray(0, 5000) }
    const { message } = await upload({ type: 'elf_symbol_file' }, cut).finally(() => setLanguage('en'))
    expect(message).toMatch(
      /^The specified parameter elf_symbol_file is not valid\. elf_symbol_file cannot be used\. The file is/,
    )
    expect(message).not.toMatch(/\p{Script=Han}/u)
  })

  it('translates errors about a body that is too large and about a requested fault', async () => {
    const form = new FormData()
    form.set('event', 'x'.repeat(2_000_000))
    const url = `${caller.intake.url}/sourcemap/upload`
    const headers = { 'DD-API-KEY': 'dev-api-key', ...zh }
    const large = await fetch(url, { method: 'POST', body: form, headers })
    expect(await large.json()).toMatchObject({
      error: { code: 'EntityTooLarge', message: '部分 event 超过 1048576 字节。' },
    })
    const fault = { ...headers, 'X-Symup-Fault': '503' }
    const away = await fetch(url, { method: 'POST', body: new FormData(), headers: fault })
    expect(await away.json()).toMatchObject({ error: { message: '服务不可用。' } })
  })
})

describe('the list of uploads', () => {
  it('lists a key for each file, and finds the file by its build id', async () => {
    for (const arch of ['arm64', 'x64'])
      await upload({ type: 'ndk_symbol_file', service: 'n', version: '1', arch }, { ndk_symbol_file: LIBRARY })
    const items = await listed({ services: ['n'] })
    expect(new Set(items.map(({ key }: { key: string }) => key)).size).toBe(2)
    expect(await listed({ services: ['n'], query: '7f1a' })).toHaveLength(0)
    expect(await listed({ services: ['n'], query: '725D8A9B2477' })).toHaveLength(2)
  })

  it('lists only types from the contract if none is requested', async () => {
    const library = { arch: 'arm64', lib_name: 'libshop.so' }
    await upload({ type: 'harmony_symbol_file', ...library }, { symbol_file: LIBRARY })
    await upload({ type: 'ndk_symbol_file', ...library }, { ndk_symbol_file: LIBRARY })
    expect((await listed()).map(({ type }: { type: string }) => type)).toEqual(['android'])
    expect(await listed({ type: 'harmony' })).toHaveLength(1)
  })

  it.each([
    [{ start_time: 5, end_time: 5 }, 'end_time'],
    [{ start_time: 0, end_time: 366 * 86_400_000 }, 'end_time'],
  ])('refuses %j', async (body, field) => {
    const answer = await caller.post('/sourcemap/list', body)
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(field)])
  })
})
