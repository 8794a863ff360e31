import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'
import { contributedDiff, copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

const DIFF = contributedDiff('A new kind of symbol file')

let copy: WorkspaceCopy
let intake: ChildProcess | undefined
beforeAll(() => {
  copy = copyWorkspace()
  copy.apply(DIFF)
  writeFileSync(join(copy.root, 'game.luamap'), '12 shop/cart.lua:3\n')
}, 240_000)
afterAll(async () => {
  if (intake?.exitCode === null && intake.kill()) await once(intake, 'close')
  copy.remove()
})

/** Several processes start one after another, which takes long on a busy machine. */
const STARTS_MS = 120_000

const command = (...args: string[]) => [...sourceArguments(), join(copy.root, 'packages/cli/src/main.ts'), ...args]
const options = () => ({
  cwd: copy.root,
  env: { PATH: process.env.PATH, SYMUP_API_KEY: 'dev-api-key' },
  encoding: 'utf8' as const,
})
const symup = (...args: string[]) => spawnSync(process.execPath, command(...args), options())

it('adds a new kind of symbol file with at most 3 changes outside its own folders', () => {
  const files = `\n${DIFF}`.split('\n--- ').slice(1)
  const [own, existing] = [true, false].map((isNew) => files.filter((it) => it.startsWith('/dev/null') === isNew))
  for (const file of own ?? [])
    expect(file).toMatch(/\+\+\+ b\/packages\/(?:core\/src\/kinds|symbolicate\/src\/resolvers)\/lua\//)
  const changed = (existing ?? []).flatMap((file) =>
    file
      .split('\n')
      .slice(2)
      .filter((line) => /^[+-]/.test(line)),
  )
  expect(changed).toHaveLength(3)
})

it(
  'adds a command with help, and symup check recognizes its file',
  () => {
    const help = symup('lua', 'upload', '--help')
    expect(help.stderr).toBe('')
    expect(help.stdout).toContain('symup lua upload [options] <file>')
    expect(help.stdout).toContain('--release-version <version>')
    expect(symup('--help').stdout).toMatch(/ {2}lua +line maps of Lua/)
    const { files } = JSON.parse(symup('check', 'game.luamap', '--json').stdout)
    expect(files).toEqual([{ path: 'game.luamap', kind: 'lua', bytes: 19 }])
  },
  STARTS_MS,
)

it(
  'accepts uploads of the new kind in the intake, which resolves their stacks',
  async () => {
    intake = spawn(process.execPath, command('intake', '--port', '0'), {
      ...options(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface(intake.stdout as Readable), 'line')) as [string]
    const url = /http:\S+/.exec(line)?.[0] ?? ''
    const release = ['--service', 'game', '--release-version', '1', '--endpoint', url, '--no-config-file']
    const sent = symup('lua', 'upload', 'game.luamap', ...release)
    expect([sent.status, sent.stderr]).toEqual([0, ''])
    writeFileSync(join(copy.root, 'broken.luamap'), 'nothing\n')
    expect(symup('lua', 'upload', 'broken.luamap', ...release).status).toBe(3)
    const ask = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}?app_key=dev-app-key`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { data: { items: object[]; frames: object[] } }
    }
    const { data } = await ask('/sourcemap/list', {
      start_time: Date.now() - 86_400_000,
      end_time: Date.now() + 86_400_000,
    })
    expect(data.items).toMatchObject([{ type: 'browser', service: 'game', version: '1' }])
    const stack = "bundle.lua:12: no cart\nstack traceback:\n\tbundle.lua:12: in function 'pay'"
    const resolved = await ask('/sourcemap/stack/enrich', { service: 'game', version: '1', stack })
    expect(resolved).toMatchObject({ data: { frames: [{}, { file: 'shop/cart.lua' }] } })
  },
  STARTS_MS,
)
