import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import { expect } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { symup } from '../support/command.ts'
import { writeIn } from '../support/directory.ts'
import { runToEnd } from '../support/run-to-end.ts'

export interface NewProject {
  /** Packages to install, taken from the workspace's own. */
  packages: readonly string[]
  files: Record<string, string>
  /** Script of the bundler's command, in its package, and its arguments. */
  command: readonly [string, ...string[]]
}

const SOURCE = `export function total(price: number) {
  if (price < 0) throw new RangeError('below zero')
  return price
}
console.log(total(3))
`

/** A new project → `symup init` → `symup doctor` → the build's own command → the intake has its maps. */
export async function initToUpload({ packages, files, command: [script, ...args] }: NewProject): Promise<void> {
  const intake = await startIntake()
  const cwd = mkdtempSync(join(tmpdir(), 'symup-new-'))
  try {
    link(cwd, ['@symup/unplugin', ...packages])
    for (const [path, text] of Object.entries({ 'src/main.ts': SOURCE, ...files })) writeIn(cwd, path, text)
    const env = { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url }
    const init = await symup(['init', '--yes'], { cwd })
    expect([init.exitCode, init.stderr]).toEqual([0, ''])
    const doctor = await symup(['doctor'], { cwd, env })
    expect([doctor.exitCode, doctor.stdout]).toEqual([0, expect.stringContaining('Ready to upload')])
    const { PATH, HOME } = process.env
    const command = [...sourceArguments(), join(cwd, 'node_modules', script), ...args]
    const built = await runToEnd(process.execPath, command, { cwd, env: { PATH, HOME, ...env } })
    expect(built).toMatchObject({ exitCode: 0 })
    await expectUpload(intake)
  } finally {
    await intake.close()
    rmSync(cwd, { recursive: true, force: true })
  }
}

async function expectUpload(intake: Intake): Promise<void> {
  const uploads = await intake.uploads()
  expect(uploads.map(({ service, version }) => [service, version])).toContainEqual(['new-shop', '1.2.3'])
}

function link(cwd: string, packages: readonly string[]): void {
  for (const name of packages) {
    const place = join(cwd, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
}

export const manifest = (build: string, ...dependencies: string[]) =>
  JSON.stringify({
    name: 'new-shop',
    version: '1.2.3',
    type: 'module',
    scripts: { build },
    devDependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
  })
