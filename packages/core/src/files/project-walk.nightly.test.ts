import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import { projectRules } from './project-walk.ts'
import { listFiles } from './walk.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'symup-walk-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  writeFileSync(join(place, path), text)
}

async function listCosts(files: string[]): Promise<number> {
  return await cpuSeconds(async () => {
    const { enters } = projectRules(place)
    expect(await listFiles(place, { enters })).toEqual(files)
  })
}

it('reads a .gitignore with 900,000 blank lines quickly', async () => {
  write('.gitignore', `${'\n'.repeat(900_000)}out\n`)
  write('out/a.js')
  write('dist/a.js')
  expect(await listCosts(['.gitignore', 'dist/a.js'])).toBeLessThan(2)
})

it('walks 700 nested directories quickly', async () => {
  write('.gitignore', 'out\n')
  write(`${'d/'.repeat(700)}a.js`)
  write(`${'d/'.repeat(699)}out/a.js`)
  expect(await listCosts(['.gitignore', `${'d/'.repeat(700)}a.js`])).toBeLessThan(2)
})
