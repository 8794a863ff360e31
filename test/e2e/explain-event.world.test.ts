import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { symup } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const place = useDirectory()
const intake = useIntake()
let stack: string
beforeAll(async () => {
  mkdirSync(join(place, 'node_modules'))
  const source =
    'export function pay(amount) {\n  if (amount < 0) throw new RangeError("below zero")\n  return amount\n}\nglobalThis.pay = pay\n'
  writeFileSync(join(place, 'pay.js'), source)
  const options = { bundle: true, minify: true, sourcemap: 'external', outdir: join(place, 'dist') } as const
  await build({ entryPoints: [join(place, 'pay.js')], ...options })
  const column = readFileSync(join(place, 'dist/pay.js'), 'utf8').indexOf('RangeError')
  stack = `RangeError: below zero\n    at pay (https://h/static/pay.js:1:${column + 1})`
  const { exitCode } = await run([
    'web',
    'upload',
    'dist',
    '--minified-path-prefix',
    '/static',
    '--disable-git',
    ...NAMES,
  ])
  expect(exitCode).toBe(0)
})

const NAMES = ['--service', 'shop', '--release-version', '1.2.3', '--no-config-file']
const run = (args: string[], input = '') =>
  symup(args, {
    cwd: place,
    input,
    env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url, SYMUP_APP_KEY: 'dev-app-key' },
  })
const event = (extra: object = {}) =>
  JSON.stringify({ service: 'shop', version: '1.2.3', error: { message: 'below zero', stack }, ...extra })

describe('symup explain for an event in JSON', () => {
  it('uses the service and version of the event, from a file or standard input, with an intake or a directory', async () => {
    writeFileSync(join(place, 'event.json'), event())
    const byIntake = await run(['explain', 'event.json'])
    const byDirectory = await run(['explain', '-', '--dir', 'dist', '--minified-path-prefix', '/static'], event())
    for (const { stdout, exitCode } of [byIntake, byDirectory]) {
      expect([stdout, exitCode]).toEqual([expect.stringContaining('pay.js:2:'), 0])
      // The snippet shows three lines on each side, if the file contains them.
      expect(stdout).toContain('  1 | export function pay(amount) {')
      expect(stdout).toContain('> 2 | ')
      expect(stdout).toContain('  5 | globalThis.pay = pay')
    }
  })

  it('prefers values from the command line', async () => {
    const { stdout } = await run(['explain', 'event.json', '--release-version', '9'])
    expect(stdout).toContain('version-mismatch: No upload for shop has the version 9. Uploaded versions: 1.2.3.')
  })

  it('reports that the upload came after the event, and resolves the stack', async () => {
    const { stdout, exitCode } = await run(['explain', '-'], event({ timestamp: '2026-01-01T00:00:00Z' }))
    expect(stdout).toContain('pay.js:2:')
    expect(stdout).toContain(
      'uploaded-after-event: The event occurred at 2026-01-01T00:00:00.000Z, but the files were uploaded at 20',
    )
    expect(stdout).toContain('fix: Upload the source maps before you release.')
    expect(exitCode).toBe(0)
  })

  it('reports with a ledger what was sent and what was not', async () => {
    const ledger = join(place, 'node_modules/.cache/symup/ledger.jsonl')
    expect(existsSync(ledger)).toBe(true)
    const sent = await run(['explain', 'event.json', '--ledger', ledger])
    expect([sent.stdout, sent.exitCode]).toEqual([
      expect.stringMatching(/not-resolvable-here: \/static\/pay\.js was uploaded at 20.*\n.*--intake/),
      1,
    ])
    const other = await run(['explain', '-', '--ledger', ledger], event({ version: '2' }))
    expect(other.stdout).toContain('version-mismatch: No upload for shop has the version 2. Uploaded versions: 1.2.3.')
    const moved = await run(
      ['explain', '-', '--ledger', ledger],
      event({ stack: '    at f (https://h/assets/pay.js:1:9)' }),
    )
    expect(moved.stdout).toContain(
      'prefix-mismatch: The stack contains /assets/pay.js, but the source map is for /static/pay.js.',
    )
    const none = await run(['explain', 'event.json', '--ledger', 'gone.jsonl'])
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('gone.jsonl: The file or directory does not exist.'),
    ])
  })
})

it('reports invalid JSON with its position', async () => {
  const broken = '{\n  "service": "shop",\n  "error": {"message": "x" "stack": "y"}\n}'
  const { stderr, exitCode } = await run(['explain', '-'], broken)
  expect([stderr, exitCode]).toEqual([
    expect.stringMatching(/^error event-invalid: .*not valid JSON \(line 3, column 28\): comma expected\./),
    3,
  ])
})
