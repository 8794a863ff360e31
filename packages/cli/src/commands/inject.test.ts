import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTrailingComments } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { runSymup } from '../../../../test/support/run-symup.ts'

const cwd = useDirectory('each')

const CODE = 'throw new Error("a")\n//# sourceMappingURL=app.js.map\n'
const MAP = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  sourcesContent: ['throw new Error("a")'],
  mappings: 'AAAA',
})

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeIn(cwd, name, text)
}
const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
const inject = (...args: string[]) => runSymup(['web', 'inject', 'dist', ...args], { cwd })
const APP = { 'dist/app.js': CODE, 'dist/app.js.map': MAP }

it('writes the same id into a script and its map, and changes nothing on a second run', async () => {
  put({ ...APP, 'dist/vendor.js': 'no()' })
  const first = await inject()
  expect(first).toMatchObject({ exitCode: 0 })
  expect(first.stdout).toMatch(/\n?Added debug ids to 1 script\.\n$/)
  const { debugId, sourceMappingUrl } = readTrailingComments(join(cwd, 'dist/app.js'))
  expect(debugId).toMatch(/^[0-9a-f-]{36}$/)
  expect(sourceMappingUrl).toBe('app.js.map')
  expect(JSON.parse(read('dist/app.js.map'))).toEqual({ ...JSON.parse(MAP), debugId })
  const before = [read('dist/app.js'), read('dist/app.js.map')]
  const second = await inject()
  expect(second).toMatchObject({ exitCode: 0 })
  expect(second.stdout).toContain('Added debug ids to 0 scripts. 1 other script already had debug ids.')
  expect([read('dist/app.js'), read('dist/app.js.map')]).toEqual(before)
  expect(readdirSync(join(cwd, 'dist')).sort()).toEqual(['app.js', 'app.js.map', 'vendor.js'])
})

it('keeps the id of a script and copies it to the map', async () => {
  const id = '11111111-2222-5333-8444-555555555555'
  put({ ...APP, 'dist/app.js': `throw 1\n//# debugId=${id}\n//# sourceMappingURL=app.js.map\n` })
  expect(await inject()).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(read('dist/app.js.map')).debugId).toBe(id)
})

it('lists the scripts and changes nothing with --dry-run', async () => {
  put(APP)
  const { stdout, exitCode } = await inject('--dry-run', '--json')
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { injected: ['dist/app.js'], unchanged: [], problems: [] }])
  expect([read('dist/app.js'), read('dist/app.js.map')]).toEqual([CODE, MAP])
})

const sri = `sha384-${createHash('sha384').update(CODE).digest('base64')}`
const revision = createHash('md5').update(CODE).digest('hex')

it.each([
  ['a page with an integrity hash', 'index.html', `<script src="app.js" integrity="${sri}"></script>`],
  ['a precache manifest', 'sw.js', `precache([{url:"app.js",revision:"${revision}"}])`],
  ['a compressed copy', 'app.js.br', 'x'],
  ['a copy compressed with zstd', 'app.js.zst', 'x'],
])('does not change a script that %s depends on', async (_, name, text) => {
  put({ ...APP, [`dist/${name}`]: text })
  const { exitCode, stdout } = await inject()
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`debug-id-not-added`)
  expect(stdout).toContain(`dist/${name}`)
  expect(stdout).toMatch(/Added debug ids to 0 scripts\.\n$/)
  expect([read('dist/app.js'), read('dist/app.js.map')]).toEqual([CODE, MAP])
})

it('does not change a script that is not UTF-8', async () => {
  put(APP)
  const bytes = Buffer.concat([
    Buffer.from('x("'),
    Buffer.from([0xe4]),
    Buffer.from('")\n//# sourceMappingURL=app.js.map\n'),
  ])
  writeFileSync(join(cwd, 'dist/app.js'), bytes)
  expect(await inject()).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('invalid UTF-8') })
  expect(readFileSync(join(cwd, 'dist/app.js'))).toEqual(bytes)
})

it('writes nothing outside the directory, even if links and comments point there', async () => {
  put({ 'secret.map': MAP, 'dist/app.js': CODE, 'dist/b.js': 'throw 2\n//# sourceMappingURL=../secret.map\n' })
  symlinkSync('../secret.map', join(cwd, 'dist/app.js.map'))
  const { exitCode, stdout } = await inject()
  expect(exitCode).toBe(3)
  expect(stdout).toContain('file-outside')
  expect(stdout).toContain('fix: Copy the file into the uploaded directory.')
  expect(stdout).not.toContain('allowed-root')
  expect([read('secret.map'), read('dist/app.js')]).toEqual([MAP, CODE])
})

it('exits with 3 without a source map, and with 2 without a directory', async () => {
  expect(await inject()).toMatchObject({ exitCode: 2 })
  put({ 'dist/app.js': 'throw 1\n' })
  expect(await inject()).toMatchObject({ exitCode: 3 })
})
