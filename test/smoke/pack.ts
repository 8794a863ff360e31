import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'

/** Without the conditions and variables that make this workspace run from source. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env
  return env
}

export function runIn(cwd: string, command: string, args: string[]): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(),
  })
}

/** The inspector's page is part of the intake's package. */
const PUBLISHED_ONLY = ['--filter', './packages/*', '--filter', '!@symup/inspector']

/** Builds and packs every package. @returns the tarballs. */
export async function packAll(directory: string): Promise<string[]> {
  mkdirSync(directory)
  await buildPackages()
  runIn(ROOT, 'npx', ['-y', 'pnpm@12', '-r', ...PUBLISHED_ONLY, 'pack', '--pack-destination', directory])
  return readdirSync(directory).map((file) => join(directory, file))
}

/** Installs packages with npm into an empty project. @returns npm's output. */
export function installAll(directory: string, packages: string[]): string {
  writeFileSync(join(directory, 'package.json'), '{ "name": "user", "private": true, "type": "module" }')
  const args = ['install', '--no-audit', '--no-fund', ...packages]
  return spawnSync('npm', args, { cwd: directory, encoding: 'utf8', env: cleanEnvironment() }).stderr
}
