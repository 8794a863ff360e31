import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

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

const CI_TAGS = ['CI_COMMIT_TAG', 'BITBUCKET_TAG', 'CIRCLE_TAG', 'BUILDKITE_TAG', 'TRAVIS_TAG'] as const
const CI_COMMITS = [
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
  'BUILDKITE_COMMIT',
  'GIT_COMMIT',
  'BUILD_SOURCEVERSION',
] as const

/**
 * The release version: the tag that CI builds, else the `version` of the nearest package.json, else the commit that CI builds,
 * else the commit that is checked out.
 */
export function inferVersion(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  return (
    (env.GITHUB_REF_TYPE === 'tag' ? fromEnvironment(env, ['GITHUB_REF_NAME']) : undefined) ??
    fromEnvironment(env, CI_TAGS) ??
    fromPackageJson(directory, 'version') ??
    fromEnvironment(env, CI_COMMITS) ??
    fromGit(directory)
  )
}

function fromEnvironment(env: NodeJS.ProcessEnv, names: readonly string[]): Inferred | undefined {
  for (const name of names) {
    const value = env[name]
    if (value !== undefined && value !== '') return { value, from: name }
  }
  return undefined
}

/** The nearest package.json that has the field. A workspace's inner ones often have no version. */
function fromPackageJson(directory: string, field: 'name' | 'version'): Inferred | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const path = join(at, 'package.json')
    try {
      const value = JSON.parse(readFileSync(path, 'utf8'))[field]
      if (typeof value === 'string' && value !== '') return { value, from: relative(directory, path) }
    } catch {
      // Not there, or not JSON: the parents may have it.
    }
    if (dirname(at) === at) return undefined
  }
}

function fromGit(directory: string): Inferred | undefined {
  try {
    const value = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    }).trim()
    return value === '' ? undefined : { value, from: 'git rev-parse HEAD' }
  } catch {
    return undefined
  }
}
