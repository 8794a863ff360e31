import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { symup } from '../support/command.ts'
import { useDirectory, writeIn } from '../support/directory.ts'
import { englishIn } from '../support/english.ts'
import { useServer } from '../support/server.ts'

// An intake refuses requests in the language of the command. Its texts in another language are quoted.

const PROJECT = useDirectory()
const KEY = { SYMUP_API_KEY: 'dev-api-key', SYMUP_APP_KEY: 'wrong-app-key' }
const UPLOAD = ['web', 'upload', 'dist', '--service', 'shop', '--release-version', '1', '--minified-path-prefix', '/s']
const EXPLAIN = ['explain', 'stack.txt', '--service', 'shop', '--release-version', '1']
let intake: Intake
const languages: (string | undefined)[] = []
/** An intake that answers only in English. */
const other = useServer((request, response) => {
  languages.push(request.headers['accept-language'])
  response.writeHead(422, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ error: { code: 'X', message: 'We do not like this map' } }))
})

beforeAll(async () => {
  intake = await startIntake({ port: 0, limits: { parts: 2 } })
  const map = { version: 3, sources: ['a.ts'], sourcesContent: ['export const a = 1\n'], names: [], mappings: 'AAAA' }
  writeIn(PROJECT, 'dist/a.js', 'const a=1\n//# sourceMappingURL=a.js.map\n')
  writeIn(PROJECT, 'dist/a.js.map', JSON.stringify(map))
  writeIn(PROJECT, 'stack.txt', 'Error: x\n    at a (http://h/s/a.js:1:7)\n')
})

afterAll(() => intake.close())

async function output(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { exitCode, stdout, stderr } = await symup(args, { cwd: PROJECT, env })
  expect(exitCode).not.toBe(0)
  return stdout + stderr
}

it.each<[string, string[], NodeJS.ProcessEnv, string]>([
  ['too many parts', UPLOAD, KEY, '接收服务返回 HTTP 413：“请求体超过 2 个部分。”'],
  ['a wrong key', UPLOAD, { SYMUP_API_KEY: 'wrong-key' }, '接收服务返回 HTTP 401：“您未通过身份验证。”'],
  ['a wrong app key', EXPLAIN, KEY, '返回 HTTP 401：“您未通过身份验证。”'],
])('refuses %s in Chinese with our intake', async (_, args, env, says) => {
  const there = [args[0] === 'explain' ? '--intake' : '--endpoint', intake.url]
  const chinese = await output([...args, ...there], { ...env, SYMUP_LANG: 'zh' })
  expect(chinese).toContain(says)
  expect(englishIn(chinese.replace(says, ''))).toEqual([])
  expect(await output([...args, ...there], { ...env, SYMUP_LANG: 'en' })).not.toMatch(/\p{Script=Han}/u)
})

it('asks another intake for Chinese, and quotes a response in English', async () => {
  const there = ['--endpoint', other.url]
  languages.length = 0
  const chinese = await output([...UPLOAD, ...there], { ...KEY, SYMUP_LANG: 'zh' })
  expect(chinese).toContain('接收服务返回 HTTP 422：“We do not like this map”')
  expect(englishIn(chinese)).toEqual([])
  expect(new Set(languages)).toEqual(new Set(['zh']))
  languages.length = 0
  expect(await output([...UPLOAD, ...there], { ...KEY, SYMUP_LANG: 'en' })).toContain(
    'HTTP 422: We do not like this map',
  )
  expect(new Set(languages)).toEqual(new Set([undefined]))
})
