import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startIntake } from '@symup/intake'
import { expect, it } from 'vitest'
import { symupArguments } from '../support/command.ts'
import { needs } from '../support/tool.ts'

const SCRIPT = '/usr/bin/script'
const script = needs('script command', existsSync(SCRIPT), 'Debian: bsdutils')
const ESCAPE = '\u001b'

it.skipIf(!script.isThere)(`web upload shows progress on a terminal${script.reason}`, async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-terminal-'))
  const intake = await startIntake()
  try {
    mkdirSync(join(place, 'dist'))
    writeFileSync(join(place, 'dist/a.js'), 'throw 1\n')
    writeFileSync(
      join(place, 'dist/a.js.map'),
      '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1"],"names":[],"mappings":"AAAA"}',
    )
    const flags = ['--service', 'shop', '--release-version', 'tty', '--minified-path-prefix', '/', '--no-config-file']
    const args = symupArguments(['web', 'upload', 'dist', ...flags])
    const command = [process.execPath, ...args].map((word) => `'${word}'`).join(' ')
    const env = { PATH: process.env.PATH, TERM: 'xterm', SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
    const { stdout } = await promisify(execFile)(SCRIPT, ['-qec', command, '/dev/null'], { cwd: place, env })
    expect(stdout).toMatch(new RegExp(`\\r${ESCAPE}\\[K {2}█{20} 1/1 artifacts`))
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(`${ESCAPE}[32mUploaded 1 of 1 artifacts`)
  } finally {
    await intake.close()
    rmSync(place, { recursive: true })
  }
})
