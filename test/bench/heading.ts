import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** Machine, load and versions, in two lines. */
export function heading(rounds: number): string {
  const [cpu] = cpus()
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB`
  const machine = `${availableParallelism()} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory}, ${type()} ${release()}`
  const load = loadavg()[0]?.toFixed(1)
  const peer = (require('@datadog/datadog-ci/package.json') as { version: string }).version
  return [
    `${machine}; load ${load} when it began; best of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.`,
    `symup ${versionOf('packages/cli')}${commit()}, Node ${process.versions.node}, datadog-ci ${peer}.`,
  ].join('\n')
}

function versionOf(directory: string): string {
  const { version } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** The commit of the sources, if they are a repository. */
function commit(): string {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return ` (${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio, encoding: 'utf8' }).trim()})`
  } catch {
    return ''
  }
}
