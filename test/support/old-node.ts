import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build-fixture.ts'

/** The Node version in DevEco Studio, which other users still have, too. */
export const NODE_18 = '18.20.8'

/** The long-term release after the one that the workspace needs. */
export const NODE_22 = '22.23.3'

/** The long-term release after that, which the newest frameworks need. */
export const NODE_24 = '24.9.0'

/** Installs another Node version next to the workspace's packages, once. @returns its executable. */
export function installNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}`
  const directory = join(ROOT, 'node_modules/.cache/symup', `node-${version}`)
  const node = join(directory, 'node_modules', name, 'bin/node')
  if (!existsSync(node)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: directory, stdio: 'pipe' })
  }
  return node
}
