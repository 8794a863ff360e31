import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckDocument } from '@symup/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSymup } from '../support/run-symup.ts'
import { withEsbuild, writeEntry } from './bundles.ts'

let directory: string
let dist: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'symup-check-'))
  dist = mkdtempSync(join(directory, 'dist-'))
  await withEsbuild(writeEntry(directory), join(dist, 'app.js'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const check = (...args: string[]) => symup('check', ...args)

const symup = (...args: string[]) => runSymup(args, { cwd: directory })

it('prints a row for each file and the positions in a good build, and reports the public map', async () => {
  const { exitCode, stdout } = await check(dist, '--strict')
  expect(stdout).toMatch(/javascript +[\d.]+ KiB +dist-\w+\/app\.js +map .*, (\d+)\/\1 positions/)
  expect(stdout).toMatch(/([\d,]+) of \1 positions resolve \(1 script\)\./)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Checked 1 file: 0 errors, 1 warning (leak-map).')
  expect(exitCode).toBe(1)
  expect((await check(dist)).exitCode).toBe(0)
})

it('exits with 1 for a banner added later, and prints one document with --json', async () => {
  const moved = join(dist, 'moved.js')
  writeFileSync(moved, `/* one */\n/* two */\n${readFileSync(join(dist, 'app.js'), 'utf8')}`)
  writeFileSync(`${moved}.map`, readFileSync(join(dist, 'app.js.map')))
  const { exitCode, stdout } = await check(moved, '--json')
  expect(exitCode).toBe(1)
  const document = JSON.parse(stdout) as CheckDocument
  expect(document.files).toMatchObject([{ kind: 'javascript', path: expect.stringMatching(/moved\.js$/) }])
  expect(document.files[0]?.resolved).toBeLessThan(document.files[0]?.positions as number)
  const offset = document.problems.find(({ code }) => code === 'map-offset')
  expect(offset).toMatchObject({
    file: expect.stringMatching(/moved\.js$/),
    message: expect.stringContaining('are 2 higher'),
  })
  rmSync(moved)
  rmSync(`${moved}.map`)
})

it('reports a reference to a missing map as an error', async () => {
  const bare = join(dist, 'bare.js')
  writeFileSync(bare, 'a()\n//# sourceMappingURL=bare.js.map\n')
  const { exitCode, stdout } = await check(bare)
  expect(stdout).toContain('map-missing')
  expect(exitCode).toBe(1)
  rmSync(bare)
})

it('reports the API key in a file as an error, and does not print it', async () => {
  writeFileSync(join(dist, 'planted.json'), '{"key":"a-key-that-leaked-0123"}')
  const { exitCode, stdout, stderr } = await check(dist, '--api-key', 'a-key-that-leaked-0123')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/API key +dist-\w+\/planted\.json/)
  expect(stdout + stderr).not.toContain('a-key-that-leaked-0123')
  rmSync(join(dist, 'planted.json'))
})

it('exits with 3 if there is nothing to check, and with 2 if the directory is missing', async () => {
  const empty = mkdtempSync(join(directory, 'empty-'))
  expect((await check(empty)).exitCode).toBe(3)
  expect((await check(join(directory, 'nowhere'))).exitCode).toBe(2)
})

it('succeeds with a warning about git for an upload outside a repository', async () => {
  const flags = ['--service', 's', '--release-version', '1', '--minified-path-prefix', '/', '--dry-run', '--strict']
  const { exitCode, stdout } = await symup('web', 'upload', dist, ...flags)
  expect(stdout).toMatch(/([\d,]+) of \1 positions resolve/)
  expect(stdout).toContain('info git-incomplete')
  expect(exitCode).toBe(0)
  expect((await symup('web', 'upload', dist, ...flags, '--disable-git')).stdout).not.toContain('git')
})
