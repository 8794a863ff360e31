import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { filesBelow } from '../support/files-below.ts'
import { isKeyCheck } from '../support/key-check.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { useServer } from '../support/server.ts'

// Plugins and scripts call `process.exit(0)` to end builds that hang. Even then, maps that only symup requested must
// not be deployed, and the build must not pass.

const directory = useDirectory('each')
const server = useServer((request, response) => {
  if (isKeyCheck(request)) response.writeHead(400).end('{}')
  else writeFileSync(join(directory, 'arrived'), '')
})

async function buildThatExits(bundler: string, when: string, onError = '') {
  const outDir = join(directory, 'dist')
  const { VITEST: _, NODE_ENV: __, ...clean } = process.env
  const settings = {
    ...{ SYMUP_API_KEY: 'a-key-of-some-length', SYMUP_SERVICE: 's', SYMUP_VERSION: '1' },
    SYMUP_ENDPOINT: server.url,
    SYMUP_CACHE_DIR: join(directory, 'cache'),
    ...(onError && { ON_ERROR: onError }),
  }
  const script = join(ROOT, 'test/e2e/guest/exit.ts')
  const args = [...sourceArguments(), script, bundler, when, outDir]
  const { exitCode, output } = await runToEnd(process.execPath, args, { cwd: ROOT, env: { ...clean, ...settings } })
  const maps = (place: string) => filesBelow(join(directory, place)).filter((file) => file.endsWith('.map'))
  return { exitCode, output, left: maps('dist'), staged: maps('cache') }
}

const ENDED =
  /The process ended before the upload finished \(process\.exit\(\) was called\)\. symup removed \d+ source maps? from the output\./

it.each([
  ['vite', 'end'],
  ['webpack', 'end'],
  ['rollup', 'end'],
  ['vite', 'upload'],
  ['webpack', 'upload'],
  ['rollup', 'upload'],
  ['esbuild', 'upload'],
])('fails and leaves no map with %s if the process exits at the %s', async (bundler, when) => {
  const { exitCode, output, left, staged } = await buildThatExits(bundler, when)
  expect(output).toMatch(ENDED)
  expect(exitCode).toBe(1)
  expect(left).toEqual([])
  // The staged maps can still be sent with the command.
  expect(staged.length).toBeGreaterThan(0)
  expect(output).toContain('To send the missing files, run:')
})

it.skipIf(process.platform === 'win32')('removes unpacked files when the command is stopped', async () => {
  const script = join(directory, 'unpack.mts')
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
    import { withTemporaryDirectory } from '${join(ROOT, 'packages/core/src/files/temporary-directory.ts')}'
    await withTemporaryDirectory(async (directory) => {
      writeFileSync(directory + '/unpacked', '')
      process.send(directory)
      await new Promise((done) => setTimeout(done, 1e6))
    })`,
  )
  const child = fork(script, { cwd: ROOT, execArgv: sourceArguments() })
  const [unpacked] = (await once(child, 'message')) as [string]
  expect(existsSync(unpacked)).toBe(true)
  child.kill('SIGTERM')
  const [, signal] = await once(child, 'exit')
  expect([signal, existsSync(unpacked)]).toEqual(['SIGTERM', false])
})

it("passes with onError: 'warn', and reports it", async () => {
  const { exitCode, output, left } = await buildThatExits('vite', 'upload', 'warn')
  expect(output).toMatch(ENDED)
  expect([exitCode, left]).toEqual([0, []])
})
