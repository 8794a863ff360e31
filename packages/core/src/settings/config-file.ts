import { closeSync, fstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { openRegular } from '../files/open-regular.ts'
import { isInside } from '../files/remove-file.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { whyUnreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'
import { adviceFor } from './other-uploaders.ts'
import { didYouMean } from './suggest.ts'
import { DEFINITIONS, type SettingName } from './table.ts'

const CONFIG_FILE = 'symup.json'
const LEGACY_CONFIG_FILE = 'flashcat-ci.json'
/** The number of directories to search: the project directory and three levels above it. */
const LEVELS = 4

export interface ConfigFile {
  /** The absolute path of the file. */
  path: string
  isAbove: boolean
  values: Partial<Record<SettingName, unknown>>
}

interface Found {
  file?: ConfigFile
  problems: Problem[]
}

/**
 * Looks for `symup.json` in the directory and up to three levels above it, then for the older `flashcat-ci.json`. An unusable file is an
 * error and is never skipped, because the user expects the file to take effect.
 */
export function readConfigFile(directory: string): Found {
  for (const name of [CONFIG_FILE, LEGACY_CONFIG_FILE]) {
    for (const path of candidates(directory, name)) {
      const read = readIfPresent(path)
      if (read === undefined) continue
      if (read instanceof Error) return refused('config-file-invalid', path, whyUnreadable(read))
      const isOwn = dirname(path) === resolve(directory)
      const doubt = isOwn ? undefined : doubtAbout(read.stats, ownersOf(directory))
      if (doubt !== undefined)
        return refused(
          'config-file-untrusted',
          path,
          t`The config file above the project directory is not trusted because ${doubt}.`,
        )
      return parseConfigFile(path, !isOwn && isAboveProject(path, directory), read.text)
    }
  }
  return { problems: [] }
}

/**
 * Tests whether a config file is above the project. If a bundler's root is below the directory where the build was started, such as `root:
 * 'src'` in Vite, the start directory counts as the project.
 */
function isAboveProject(path: string, directory: string): boolean {
  const started = process.cwd()
  return !isInside(resolve(directory), started) || !isInside(dirname(path), started)
}

function refused(code: 'config-file-invalid' | 'config-file-untrusted', file: string, message: string): Found {
  return { problems: [problem(code, message, { file })] }
}

function candidates(directory: string, name: string): string[] {
  const paths: string[] = []
  let at = resolve(directory)
  for (let level = 0; level < LEVELS; level++) {
    paths.push(join(at, name))
    if (dirname(at) === at) break
    at = dirname(at)
  }
  return paths
}

/** Reads the owner and the text through one open file, so that the file cannot be replaced between the two reads. */
function readIfPresent(path: string): { text: string; stats: Stats } | NodeJS.ErrnoException | undefined {
  let file: number | undefined
  try {
    file = openRegular(path).file
    return { stats: fstatSync(file), text: readFileSync(file, 'utf8') }
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    // The system reports ENOTDIR if a parent of the path is a file.
    return failure.code === 'ENOENT' || failure.code === 'ENOTDIR' ? undefined : failure
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Returns the users whose config files above a project are trusted: the current user, the administrator, and the owner of the project. The
 * owner of the project already controls the code that the build runs.
 * @returns undefined on Windows, where Node does not report file owners.
 */
function ownersOf(projectDirectory: string): ReadonlySet<number> | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  return new Set([user, 0, statSync(projectDirectory, { throwIfNoEntry: false })?.uid ?? user])
}

/** Explains why a file above the project must not be trusted. The result is undefined if the file is trusted. */
export function doubtAbout(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  trusted: ReadonlySet<number> | undefined,
): string | undefined {
  if (trusted === undefined) return undefined
  if (!trusted.has(uid)) return t`another user (${uid}) owns the file`
  return (mode & 0o002) === 0 ? undefined : t`all users can write to the file`
}

function notJson(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return t`The file is not valid JSON (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}).`
}

function parseConfigFile(path: string, isAbove: boolean, content: string): Found {
  const text = content.replace(/^\uFEFF/, '')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    // The parser's own message is not used, because it quotes the text, which may contain the key.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    const message = position === undefined ? t`The file is not valid JSON.` : notJson(text, Number(position))
    return refused('config-file-invalid', path, message)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return refused('config-file-invalid', path, t`The file is not a JSON object.`)
  }
  const isLegacy = basename(path) === LEGACY_CONFIG_FILE
  const fields = fieldNames(isLegacy)
  const values: Partial<Record<SettingName, unknown>> = {}
  const problems: Problem[] = []
  for (const [field, value] of Object.entries(parsed)) {
    const name = fields.get(field) ?? (isLegacy ? undefined : renamed(field))
    if (name !== undefined) values[name] = value
    // `flashcat-ci.json` may contain fields for other tools. In `symup.json`, an unknown field is probably a typo.
    else if (!isLegacy && field !== '$schema') problems.push(unknownField(path, field, [...fields.keys()]))
  }
  return { file: { path, isAbove, values }, problems }
}

function unknownField(path: string, field: string, known: readonly string[]): Problem {
  const isOption = DEFINITIONS.some(([name, { plugins }]) => name === field && plugins !== undefined)
  const advice = adviceFor(field, known)
  const hint = isOption
    ? t` Set this option in the plugin instead.`
    : advice === undefined
      ? didYouMean(field, known)
      : ''
  return problem('config-field-unknown', t`The config file contains the unknown field "${field}".` + hint, {
    file: path,
    fix: advice ?? t`Known fields: ${known.join(', ')}.`,
  })
}

function renamed(field: string): SettingName | undefined {
  const found = DEFINITIONS.find(([, { config, formerly }]) => config && formerly === field)
  return found?.[0] as SettingName | undefined
}

function fieldNames(legacy: boolean): Map<string, SettingName> {
  const names = new Map<string, SettingName>()
  for (const [name, { legacyField, config }] of DEFINITIONS) {
    const field = legacy ? legacyField : config && name
    if (field !== undefined) names.set(field, name as SettingName)
  }
  return names
}
