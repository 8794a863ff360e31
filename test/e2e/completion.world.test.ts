import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { symup } from '../support/command.ts'
import { needs } from '../support/tool.ts'

const bash = needs('bash', spawnSync('bash', ['--version']).status === 0, 'Debian: bash')

it.skipIf(!bash.isThere)(`completes commands and flags in bash${bash.reason}`, async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-completion-'))
  const { stdout } = await symup(['completion', 'bash'], { cwd: place })
  writeFileSync(join(place, 'complete.sh'), stdout)
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `. ./complete.sh; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _symup; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { cwd: place, encoding: 'utf8' },
    ).trim()
  expect(complete('symup', 'do')).toBe('doctor')
  expect(complete('symup', 'web', '')).toContain('upload')
  expect(complete('symup', 'web', 'upload', '--rel')).toBe('--release-version')
  // Each suggestion is a single name, although it contains a space.
  mkdirSync(join(place, 'my build'))
  mkdirSync(join(place, 'my other'))
  expect(complete('symup', 'check', 'my').split('\n').sort()).toEqual(['my build', 'my other'])
  rmSync(place, { recursive: true })
})
