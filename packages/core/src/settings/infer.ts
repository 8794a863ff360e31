import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../files/open-regular.ts'
import { shownPath } from '../files/shown-path.ts'
import { askGitSync } from '../git/ask.ts'
import { ciVariable } from '../git/ci-variables.ts'

/** A value that was found rather than given, and where. */
export interface Inferred {
  value: string
  /** As shown to the user: `package.json`, `CI_COMMIT_TAG`, `git rev-parse HEAD`. */
  from: string
}

/** The `name` of the nearest package.json. */
export function inferService(directory: string): Inferred | undefined {
  return fromPackageJson(directory, 'name')
}

/**
 * The release version: the tag that CI builds, else the `version` of the nearest package.json, else the commit that CI builds,
 * else the commit that is checked out.
 */
export function inferVersion(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  return fromCi(env, 'tag') ?? fromPackageJson(directory, 'version') ?? fromCi(env, 'commit') ?? fromGit(directory, env)
}

function fromCi(env: NodeJS.ProcessEnv, of: 'tag' | 'commit'): Inferred | undefined {
  const found = ciVariable(env, of)
  return found && { value: found.value, from: found.name }
}

/** The nearest package.json that has the field. A workspace's inner ones often have no version. */
function fromPackageJson(directory: string, field: 'name' | 'version'): Inferred | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const path = join(at, 'package.json')
    try {
      const value = JSON.parse(readRegular(path).toString('utf8'))[field]
      if (typeof value === 'string' && value !== '') return { value, from: shownPath(path, directory) }
    } catch {
      // Not there, or not JSON: the parents may have it.
    }
    if (dirname(at) === at) return undefined
  }
}

function fromGit(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  const value = askGitSync(directory, env, ['rev-parse', 'HEAD']).text?.trim()
  return value ? { value, from: 'git rev-parse HEAD' } : undefined
}
