import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'

it('what is made from the code is up to date', () => {
  execFileSync(process.execPath, [...sourceArguments(), join(ROOT, 'scripts/docs.ts'), '--check'], { stdio: 'pipe' })
})

it('every package has a README that says how to use and how to test it', () => {
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const text = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')
    for (const part of ['```', '## Test']) expect(text, `packages/${name}/README.md`).toContain(part)
  }
})

it('CONTRIBUTING.md stays under 150 lines', () => {
  expect(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n').length).toBeLessThan(150)
})
