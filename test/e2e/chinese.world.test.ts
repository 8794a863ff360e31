import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp, ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { englishIn } from '../support/english.ts'
import { useIntake } from '../support/intake.ts'
import { runSymup } from '../support/run-symup.ts'

// The output for a user with a Chinese locale. Each output comes from the command itself, for files like a bundler's output.

const PROJECT = useDirectory()
const intake = useIntake()

const MAP = {
  version: 3,
  sources: ['../src/a.ts'],
  sourcesContent: ['export function add(a: number, b: number) {\n  return a + b\n}\n'],
  names: ['add', 'a', 'b'],
  mappings: 'AAAA,SAAgBA,IAAIC,EAAWC,GAC7B,OAAOD,EAAIC',
}
const STACK = 'TypeError: x\n    at add (http://h/s/a.js:1:20)\n    at q (http://h/s/other.js:1:20)\n'

beforeAll(() => {
  const dist = join(PROJECT, 'dist')
  mkdirSync(dist)
  writeFileSync(join(dist, 'a.js'), 'function add(a,b){return a+b}\n//# sourceMappingURL=a.js.map\n')
  writeFileSync(join(dist, 'a.js.map'), JSON.stringify(MAP))
  cpSync(dist, join(PROJECT, 'broken'), { recursive: true })
  writeFileSync(join(PROJECT, 'broken/b.js'), 'console.log(1)\n//# sourceMappingURL=gone.js.map\n')
  writeFileSync(join(PROJECT, 'broken/c.js'), 'console.log(1)\n')
  writeFileSync(join(PROJECT, 'broken/d.js'), 'console.log(1)\n//# sourceMappingURL=d.js.map\n')
  writeFileSync(join(PROJECT, 'broken/d.js.map'), '<html>')
  mkdirSync(join(PROJECT, 'empty'))
  writeFileSync(join(PROJECT, 'stack.txt'), STACK)
  writeFileSync(join(PROJECT, 'package.json'), JSON.stringify({ name: 'shop', devDependencies: { vite: '^8.0.0' } }))
})

const RELEASE = ['--service', 'shop', '--release-version', '1.2.3', '--minified-path-prefix', '/s']
const there = () => ['--endpoint', intake.url]
const asked = () => ['--intake', intake.url, '--service', 'shop', '--release-version']
const KEY = { SYMUP_API_KEY: 'dev-api-key', SYMUP_APP_KEY: 'dev-app-key' }

/** Each command, with a Chinese text that its output must contain. */
const OUTPUTS: readonly (readonly [what: string, args: () => string[], says: string, env: NodeJS.ProcessEnv])[] = [
  ['an upload', () => ['web', 'upload', 'dist', ...RELEASE, ...there()], '已上传 1 个产物', KEY],
  ['each request', () => ['web', 'upload', 'dist', ...RELEASE, '--verbose', ...there()], '用时：密钥检查', KEY],
  ['a dry run', () => ['web', 'upload', 'broken', ...RELEASE, '--dry-run'], '试运行：', {}],
  ['no configuration', () => ['web', 'upload', 'dist', '--minified-path-prefix', 'foo'], '配置无法使用', {}],
  [
    'a refused key',
    () => ['web', 'upload', 'dist', ...RELEASE, ...there()],
    '不接受该 API 密钥|上传失败',
    { SYMUP_API_KEY: 'wrong-key' },
  ],
  [
    'no intake',
    () => ['web', 'upload', 'dist', ...RELEASE, '--endpoint', 'http://127.0.0.1:9', '--attempts', '1'],
    '连接被拒绝',
    KEY,
  ],
  ['nothing found', () => ['web', 'upload', 'empty', ...RELEASE, ...there()], '没有 JavaScript 文件', KEY],
  ['a check', () => ['check', 'broken'], '已检查 4 个文件', {}],
  ['a stack', () => ['explain', 'stack.txt', '--dir', 'dist', '--minified-path-prefix', '/s'], '给出的文件中没有', {}],
  ['a stack that an intake resolves', () => ['explain', 'stack.txt', ...asked(), '1.2.3'], '上传过其他文件', KEY],
  [
    'a stack from another version',
    () => ['explain', 'stack.txt', ...asked(), '9'],
    'shop 没有版本 9 的上传。已上传的版本：1.2.3',
    KEY,
  ],
  ['the settings', () => ['doctor', ...RELEASE, ...there()], '可以上传。', KEY],
  ['the changes that init would make', () => ['init', '--dry-run'], '没有写入任何内容', {}],
  ['the help for a problem', () => ['help', 'leak-map'], '输出目录中有源码映射', {}],
  ['a wrong flag', () => ['check', '--jsn'], '不支持选项 --jsn', {}],
  ['a wrong value', () => ['intake', '--port', 'x'], '必须是 0 到 65535 的整数', {}],
]

describe('the output in a Chinese locale', () => {
  it.each(OUTPUTS)('prints only Chinese for %s', async (_, args, says, env) => {
    const { stdout, stderr } = await runSymup(args(), { cwd: PROJECT, env: { LANG: 'zh_CN.UTF-8', ...env } })
    expect(stdout + stderr).toMatch(new RegExp(says))
    expect(englishIn(stdout + stderr)).toEqual([])
  })

  it('prints only Chinese for a Vite build from the first problem on', async () => {
    const plugin = join(ROOT, 'packages/unplugin/src/vite.ts')
    writeFileSync(
      join(PROJECT, 'vite.config.mjs'),
      `import symup from ${JSON.stringify(plugin)}
export default {
  base: '/shop/', logLevel: 'error', build: { sourcemap: true, outDir: 'built' },
  plugins: [symup({ service: 'shop', version: '2' })],
}`,
    )
    writeFileSync(join(PROJECT, 'index.html'), '<script type="module" src="/main.js"></script>')
    writeFileSync(join(PROJECT, 'main.js'), 'export function boom() { throw new Error(location.href) }\nboom()\n')
    const env = { ...KEY, SYMUP_LANG: 'zh', SYMUP_ENDPOINT: intake.url }
    const { exitCode, output } = await buildApp(PROJECT, env, ['--logLevel', 'info'])
    const lines = output.split('\n').filter((line) => line.startsWith('[symup]'))
    expect(exitCode, output).toBe(0)
    expect(lines[0]).toContain('maps-linked：build.sourcemap 为 true')
    expect(lines.at(-1)).toContain('已上传 1 个产物')
    expect(englishIn(lines.join('\n'))).toEqual([])
  })

  it('follows an explicit language first, and contains no characters that a terminal cannot show', async () => {
    const help = async (args: string[], env: NodeJS.ProcessEnv) =>
      (await runSymup(['schema', 'x', ...args], { cwd: PROJECT, env })).stderr
    expect(await help([], {})).toMatch(/Unknown schema/)
    expect(await help([], { LANG: 'zh_CN.UTF-8', SYMUP_LANG: 'en' })).toMatch(/Unknown schema/)
    expect(await help(['--lang', 'zh'], { SYMUP_LANG: 'en' })).toMatch(/没有 schema/)
    expect(await help([], { LANG: 'zh_CN.GBK' })).toMatch(/Unknown schema/)
    expect(await help([], { SYMUP_LANG: 'fr' })).toMatch(/value-invalid: Unknown language "fr"/)
  })
})
