import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DSYM = 'Shop.framework.dSYM'
const readme = readFileSync(join(ROOT, 'packages/cli/README.md'), 'utf8')
const script = /<!-- xcode -->\n```sh\n([\s\S]*?)```\n<!-- \/xcode -->/.exec(readme)?.[1] as string

const scratch = useDirectory('each')
beforeEach(() => {
  mkdirSync(join(scratch, 'bin'))
  // A stand-in for npx that prints its arguments.
  program('npx', 'echo "npx $*"')
  program('dwarfdump', 'echo "UUID: 1 (arm64) $2"')
  passSeconds()
})

/** `sleep` returns at once and runs a shell command instead. */
const passSeconds = (command = ':') => program('sleep', command)

function program(name: string, code: string): void {
  const path = join(scratch, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${code}\n`)
  chmodSync(path, 0o755)
}

function build(variables: Record<string, string> = {}): Promise<{ code: number; stdout: string }> {
  const env = {
    PATH: `${join(scratch, 'bin')}:${process.env.PATH}`,
    CONFIGURATION: 'Release',
    EFFECTIVE_PLATFORM_NAME: '-iphoneos',
    DEBUG_INFORMATION_FORMAT: 'dwarf-with-dsym',
    DWARF_DSYM_FOLDER_PATH: join(scratch, 'Products'),
    DWARF_DSYM_FILE_NAME: DSYM,
    SYMUP_DSYM_SECONDS: '3',
    ...variables,
  }
  return new Promise((done) => {
    execFile('sh', ['-c', script], { env }, (error, stdout) => done({ code: Number(error?.code ?? 0), stdout }))
  })
}

const finish = () =>
  cpSync(join(ROOT, 'fixtures/symbols/apple', DSYM), join(scratch, 'Products', DSYM), { recursive: true })

it('uploads the dSYM from a release build', async () => {
  finish()
  expect(await build()).toEqual({ code: 0, stdout: `npx symup ios upload ${join(scratch, 'Products')}\n` })
})

it("finds npx in Homebrew's directory, because Xcode does not use the shell's PATH", async () => {
  finish()
  program('npx', 'echo "$PATH"')
  const { stdout } = await build({ ENABLE_USER_SCRIPT_SANDBOXING: 'NO' })
  expect(stdout.trim().split(':').slice(-2)).toEqual(['/opt/homebrew/bin', '/usr/local/bin'])
})

it('waits until the dSYM exists and no longer grows', async () => {
  // After one second, part of the dSYM exists. After two, all of it exists. It then stays unchanged.
  const dsym = join(scratch, 'Products', DSYM)
  const written = join(scratch, 'written')
  cpSync(join(ROOT, 'fixtures/symbols/apple', DSYM), written, { recursive: true })
  passSeconds(`echo slept
if [ ! -d "${dsym}" ]; then mkdir -p "${dsym}"; touch "${dsym}/part"
elif [ -e "${dsym}/part" ]; then rm "${dsym}/part"; cp -r "${written}/." "${dsym}"; fi`)
  const { stdout } = await build({ SYMUP_DSYM_SECONDS: '20' })
  expect(stdout).toBe(`slept\nslept\nslept\nnpx symup ios upload ${join(scratch, 'Products')}\n`)
})

it.each([
  ['debug builds', { CONFIGURATION: 'Debug' }, 0, 'Debug build, nothing uploaded'],
  ['simulator builds', { EFFECTIVE_PLATFORM_NAME: '-iphonesimulator' }, 0, 'simulator build, nothing uploaded'],
  ['builds without a dSYM', { DEBUG_INFORMATION_FORMAT: 'dwarf' }, 1, 'error: symup: set Debug Information Format'],
  ['scripts in a sandbox', { ENABLE_USER_SCRIPT_SANDBOXING: 'YES' }, 1, 'error: symup: set User Script Sandboxing'],
  ['a dSYM that never appears', {}, 1, 'is missing or still growing'],
])('skips or fails for %s', async (_, variables, code, message) => {
  const result = await build(variables)
  expect(result).toMatchObject({ code, stdout: expect.stringContaining(message) })
  expect(result.stdout).not.toContain('npx')
})
