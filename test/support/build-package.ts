import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './build-fixture.ts'

/** Builds packages as they are published, each after those that it needs. */
export function buildPackages(...names: string[]): void {
  for (const name of names) {
    execFileSync('npm', ['run', 'build'], { cwd: join(ROOT, 'packages', name), stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
