import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../files/open-regular.ts'
import { shownPath } from '../files/shown-path.ts'
import { askGitSync } from '../git/ask.ts'
import { ciVariable } from '../git/ci-variables.ts'

/** An inferred value and its source. */
export interface Inferred {
  value: string
  /** As shown to users: `package.json`, `CI_COMMIT_TAG`, `git rev-parse HEAD`. */
  from: string
}

/** The `name` of the nearest package.json or pubspec.yaml. */
export function inferService(directory: string): Inferred | undefined {
  return fromManifest(directory, 'name')
}

/**
 * The release version. In this order: the tag that CI builds, the `version` of the nearest package.json or pubspec.yaml
 * (without its build number), the commit that CI builds, the checked-out commit.
 */
export function inferVersion(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  return fromCi(env, 'tag') ?? fromManifest(directory, 'version') ?? fromCi(env, 'commit') ?? fromGit(directory, env)
}

/** How to make git report the commit if it does not trust the directory; undefined if it does. */
export function remedyForGit(directory: string, env: NodeJS.ProcessEnv): string | undefined {
  return askGitSync(directory, env, ['rev-parse', 'HEAD']).remedy
}

type Field = 'name' | 'version'

const MANIFESTS: readonly (readonly [name: string, read: (text: string, field: Field) => unknown])[] = [
  ['package.json', (text, field) => JSON.parse(text)[field]],
  // Matches top-level plain scalars. The text after `+` is the build number, which the app reports separately from its version.
  [
    'pubspec.yaml',
    (text, field) =>
      new RegExp(`^${field}:[ \\t]*(['"]?)([\\w.-]+)(?:\\+[\\w.]+)?\\1[ \\t]*(?:#.*)?\\r?$`, 'm').exec(text)?.[2],
  ],
]

function fromCi(env: NodeJS.ProcessEnv, of: 'tag' | 'commit'): Inferred | undefined {
  const found = ciVariable(env, of)
  return found && { value: found.value, from: found.name }
}

/**
 * Reads the field from the nearest package.json, or pubspec.yaml of a Flutter app, that has it. Inner packages of a
 * workspace often have no version.
 */
function fromManifest(directory: string, field: Field): Inferred | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    for (const [name, read] of MANIFESTS) {
      const path = join(at, name)
      try {
        const value = read(readRegular(path).toString('utf8'), field)
        if (typeof value === 'string' && value !== '') return { value, from: shownPath(path, directory) }
      } catch {
        // Missing or not JSON: try the other file, then the parents.
      }
    }
    if (dirname(at) === at) return undefined
  }
}

function fromGit(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  const value = askGitSync(directory, env, ['rev-parse', 'HEAD']).text?.trim()
  return value ? { value, from: 'git rev-parse HEAD' } : undefined
}
