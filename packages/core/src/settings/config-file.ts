import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Problem, problem } from '../problems.ts'
import { SETTINGS, type SettingDefinition, type SettingName } from './definitions.ts'

const CONFIG_FILE = 'symup.json'
const LEGACY_CONFIG_FILE = 'flashcat-ci.json'
/** The project directory and three parents. */
const LEVELS = 4

export interface ConfigFile {
  /** Absolute path. */
  path: string
  values: Partial<Record<SettingName, unknown>>
}

/**
 * Looks for `symup.json` in the directory and its parents, 4 levels in all; where there is none at any of them, for the older
 * `flashcat-ci.json`. A file that is found but cannot be used is an error, never skipped over: the user meant it.
 */
export function readConfigFile(directory: string): { file?: ConfigFile; problems: Problem[] } {
  for (const name of [CONFIG_FILE, LEGACY_CONFIG_FILE]) {
    for (const path of candidates(directory, name)) {
      const text = readIfPresent(path)
      if (text === undefined) continue
      if (typeof text !== 'string') {
        return {
          problems: [problem('config-file-invalid', `${path} cannot be read: ${text.message}.`, { file: path })],
        }
      }
      return parseConfigFile(path, text)
    }
  }
  return { problems: [] }
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

function readIfPresent(path: string): string | Error | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error)
  }
}

function parseConfigFile(path: string, text: string): { file?: ConfigFile; problems: Problem[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's own message quotes the text, and the text may hold the key.
    return { problems: [problem('config-file-invalid', `${path} is not valid JSON.`, { file: path })] }
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { problems: [problem('config-file-invalid', `${path} is not a JSON object.`, { file: path })] }
  }
  const fields = fieldNames(basename(path) === LEGACY_CONFIG_FILE)
  const values: Partial<Record<SettingName, unknown>> = {}
  const problems: Problem[] = []
  for (const [field, value] of Object.entries(parsed)) {
    const name = fields.get(field)
    if (name !== undefined) values[name] = value
    // Another tool's file may hold what only that tool knows; in ours an unknown field is a typing mistake.
    else if (basename(path) === CONFIG_FILE && field !== '$schema') {
      problems.push(
        problem('config-field-unknown', `${path} has a field "${field}", which symup does not know.`, {
          file: path,
          fix: `Known fields: ${[...fields.keys()].join(', ')}.`,
        }),
      )
    }
  }
  return { file: { path, values }, problems }
}

function fieldNames(legacy: boolean): Map<string, SettingName> {
  const names = new Map<string, SettingName>()
  for (const [name, definition] of Object.entries(SETTINGS) as [SettingName, SettingDefinition][]) {
    const field = legacy ? definition.legacyField : definition.option
    if (field !== undefined) names.set(field, name)
  }
  return names
}
