import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'

// The command is built before the tests (test/support/built-command.ts).
const COMMAND = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url))

const directory = useDirectory('each')

/** Runs `symup intake` in a process that cannot find the package with this name. */
function intakeWithout(name: string, ...flags: string[]) {
  const hooks = join(directory, 'hooks.mjs')
  const missing = `Object.assign(new Error("Cannot find package '${name}'"), { code: 'ERR_MODULE_NOT_FOUND' })`
  writeFileSync(
    hooks,
    `import { register } from 'node:module'
    const code = \`export async function resolve(specifier, context, next) {
      if (specifier === '${name}') throw ${missing}
      return next(specifier, context)
    }\`
    register('data:text/javascript,' + encodeURIComponent(code))`,
  )
  const args = [
    '--import',
    pathToFileURL(hooks).href,
    COMMAND,
    'intake',
    '--port',
    '0',
    '--data',
    join(directory, 'data'),
    ...flags,
  ]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

it.each([
  ['pg', ['--database', 'postgres://nobody@127.0.0.1:9/none']],
  ['minio', ['--blobs', 's3://bucket?endpoint=http://127.0.0.1:9']],
])('does not start without %s, and explains what to install', (name, flags) => {
  const { status, stderr, stdout } = intakeWithout(name, ...flags)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Could not start the intake\. .*a package that is not installed\. Run `npm install \w+`\.$/m)
  expect(stderr).toContain(`npm install ${name}`)
})
