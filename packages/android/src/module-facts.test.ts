import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readModuleFacts } from './module-facts.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'symup-module-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const SCRIPT = "android { defaultConfig { versionName '1.0' }\n productFlavors { free {} } }"
const facts = async (variant?: string, gradle?: string) =>
  readModuleFacts({ cwd, ...(variant !== undefined && { variant }), ...(gradle !== undefined && { gradle }) })

it('says that the script has no such variant, and which ones it has', async () => {
  writeFileSync(join(cwd, 'build.gradle'), SCRIPT)
  const { problems, version } = await facts('paidRelease')
  expect(problems).toMatchObject([{ code: 'variant-unknown', message: expect.stringContaining('freeRelease') }])
  expect(version).toBeUndefined()
  expect((await facts('freeRelease')).problems).toEqual([])
})

it('says that a build script is not there, or cannot be one', async () => {
  expect((await facts('release', '.')).problems).toMatchObject([{ code: 'gradle-unreadable', severity: 'error' }])
  writeFileSync(join(cwd, 'build.gradle'), `${SCRIPT}\n${' '.repeat(1024 * 1024)}`)
  expect((await facts('freeRelease')).problems).toMatchObject([
    { code: 'gradle-unreadable', severity: 'warning', message: expect.stringContaining('larger than 1 MiB') },
  ])
})
