import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../files/open-regular.ts'
import { shownPath } from '../files/shown-path.ts'
import { askGitSync } from '../git/ask.ts'
import { ciVariable } from '../git/ci-variables.ts'

export interface Inferred {
  value: string
  /** The source, as shown to users: `package.json`, `CI_COMMIT_TAG`, `git rev-parse HEAD`. */
  from: string
}

export function inferService(directory: string): Inferred | undefined {
  return fromManifest(directory, 'name')
}

/**
 * Returns the tag of the CI build, the `version` in the nearest package.json or pubspec.yaml, or the commit, in this order of preference.
 */
export function inferVersion(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  return fromCi(env, 'tag') ?? fromManifest(directory, 'version') ?? fromCi(env, 'commit') ?? fromGit(directory, env)
}

/** Returns the command that makes Git trust the directory, if Git refuses to report the commit. */
export function remedyForGit(directory: string, env: NodeJS.ProcessEnv): string | undefined {
  return askGitSync(directory, env, ['rev-parse', 'HEAD']).remedy
}

type Field = 'name' | 'version'

const MANIFESTS: readonly (readonly [name: string, read: (text: string, field: Field) => unknown])[] = [
  ['package.json', (text, field) => JSON.parse(text)[field]],
  // The pattern matches plain scalars at the top level. The build number after `+` is not part of the version that the app reports.
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
 * Reads the field from the nearest package.json that contains it, or from the pubspec.yaml of a Flutter app. Inner packages of a workspace
 * often have no version, so outer packages are also searched.
 */
function fromManifest(directory: string, field: Field): Inferred | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    for (const [name, read] of MANIFESTS) {
      const path = join(at, name)
      try {
        const value = read(readRegular(path).toString('utf8'), field)
        if (typeof value === 'string' && value !== '') return { value, from: shownPath(path, directory) }
      } catch {
        // The file is missing or not JSON, so the search continues with the next file.
      }
    }
    if (dirname(at) === at) return undefined
  }
}

function fromGit(directory: string, env: NodeJS.ProcessEnv): Inferred | undefined {
  const value = askGitSync(directory, env, ['rev-parse', 'HEAD']).text?.trim()
  return value ? { value, from: 'git rev-parse HEAD' } : undefined
}
