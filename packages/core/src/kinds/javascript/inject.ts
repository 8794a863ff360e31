import { createHash, randomUUID } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../../files/open-regular.ts'
import { shownPath } from '../../files/shown-path.ts'
import { COMPRESSED } from '../../files/walk.ts'
import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from '../../formats/source-map/debug-id.ts'
import type { SymbolUpload } from '../../model/plan.ts'
import { PROBLEMS, type Problem, problem, SymupError } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t, translated } from '../../text.ts'
import { NO_RELEASE, partsOf } from '../kind.ts'
import { listWithin } from '../list-within.ts'
import { collectJavaScript } from './javascript.ts'
import { TRAITS } from './traits.ts'

interface InjectInput {
  /** The output directory of the build. */
  directory: string
  /**
   * The base for paths in messages.
   * @default the working directory of the process
   */
  cwd?: string
  /**
   * Whether to report the changes without making them.
   * @default false
   */
  dryRun?: boolean
}

interface Injection {
  /** The paths of the scripts that received a debug id, as shown in messages. */
  injected: string[]
  /** The paths of the scripts that were not changed, as shown in messages. These scripts and their maps already had a debug id. */
  unchanged: string[]
  problems: Problem[]
}

interface Change {
  /** The absolute path of the script. */
  script: string
  before: Buffer
  /** The absolute path and the new text of each file, starting with the map. */
  files: { path: string; text: string }[]
}

/** Matches files that may contain hashes of scripts, such as pages, other scripts and manifests. */
const MAY_CONTAIN_HASHES = /\.(?:html?|[mc]?js|json|webmanifest|txt|php|liquid)$/i
const MAX_HASH_FILE = 16 * 1024 * 1024

/**
 * Writes an ECMA-426 debug id into each script that has a source map file, and into the map. A debug id depends only on the content of the
 * script, and existing ids are kept, so a second run changes nothing. A script is not changed if another file in the directory depends on
 * its exact content.
 * @throws SymupError `file-unreadable` if a file that may contain hashes cannot be read; `system-refusal` if a file cannot be written.
 */
export async function injectDebugIds({
  directory: given,
  cwd = process.cwd(),
  dryRun = false,
}: InjectInput): Promise<Injection> {
  const directory = resolve(given)
  const shown = (path: string) => shownPath(path, cwd)
  const plan = await collectJavaScript({ directory, ...NO_RELEASE })
  const outside = translated(PROBLEMS['file-outside'].fix)
  const problems = plan.problems
    .filter(({ code, severity }) => severity !== 'info' || code === 'nothing-found')
    .map(({ file, ...item }) => ({
      ...item,
      ...(file !== undefined && { file: shown(join(directory, file)) }),
      // The usual fix is to change a setting, but no setting allows `symup web inject` to write outside the directory.
      ...(item.fix === outside && { fix: t`Copy the file into the uploaded directory.` }),
    }))
  const changes: Change[] = []
  const unchanged: string[] = []
  for (const upload of plan.uploads) {
    const change = changeOf(upload, shown)
    if (change === undefined) continue
    if ('code' in change) problems.push(change)
    else if (change.files.length === 0) unchanged.push(shown(change.script))
    else changes.push(change)
  }
  const dependents = await dependentsOf(directory, changes, shown)
  const injected: string[] = []
  for (const change of changes) {
    const file = shown(change.script)
    const message = dependents.get(change.script)
    if (message !== undefined) {
      problems.push(problem('debug-id-not-added', message, { file }))
      continue
    }
    if (!dryRun) write(change)
    injected.push(file)
  }
  return { injected, unchanged, problems }
}

/** @returns undefined for an inline map, because the plan already reports it. */
function changeOf({ parts }: SymbolUpload, shown: (path: string) => string): Change | Problem | undefined {
  const { map, script } = partsOf(TRAITS, parts)
  if (!map || !script || map.content) return undefined
  let file = script.path
  try {
    const before = readRegular(script.path)
    const code = utf8(before)
    file = map.path
    const mapText = utf8(readRegular(map.path))
    const existing = readDebugId(code)
    const id = existing ?? debugIdOf(code)
    const files = [
      { path: map.path, before: mapText, text: mapWithDebugId(mapText, id) },
      { path: script.path, before: code, text: existing === undefined ? withDebugId(code, id) : code },
    ].filter(({ before, text }) => before !== text)
    return { script: script.path, before, files }
  } catch (error) {
    return unreadable('file-unreadable', error, { file: shown(file) })
  }
}

/**
 * @throws an error if the bytes are not valid UTF-8, because writing the decoded text back would change the file. The `code` of the error
 * completes the sentence "It cannot be read (…)."
 */
function utf8(bytes: Buffer): string {
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes)) throw Object.assign(new Error('not UTF-8'), { code: 'invalid UTF-8' })
  return text
}

/**
 * Finds scripts whose exact content another file depends on, such as a page or manifest with a hash, or a compressed copy.
 * @returns a message for each script, keyed by the path of the script.
 */
async function dependentsOf(
  directory: string,
  changes: readonly Change[],
  shown: (path: string) => string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const changed = changes.filter(({ script, files }) => files.some(({ path }) => path === script))
  if (changed.length === 0) return found
  const { files } = await listWithin(directory, { wanted: () => false, shown: (file) => file })
  const present = new Set(files.map((file) => join(directory, file)))
  const wanted = changed.map(({ script, before }) => ({ script, hashes: hashesOf(before) }))
  for (const { script } of wanted)
    for (const copy of COMPRESSED.map((ending) => script + ending))
      if (present.has(copy)) found.set(script, t`${shown(copy)} is a compressed copy of this script.`)
  for (const path of present) {
    const content = MAY_CONTAIN_HASHES.test(path) ? hashesIn(path, shown) : ''
    for (const { script, hashes } of wanted)
      if (script !== path && hashes.some((hash) => content.includes(hash)))
        found.set(script, t`${shown(path)} contains a hash of this script.`)
  }
  return found
}

/**
 * Returns the text of a file if it contains hashes, and otherwise an empty string.
 * @throws SymupError if the file cannot be read.
 */
function hashesIn(path: string, shown: (path: string) => string): string {
  try {
    const content = statSync(path).size > MAX_HASH_FILE ? '' : readRegular(path).toString('latin1')
    return /sha(?:256|384|512)-|["'][0-9a-f]{32,}["']/i.test(content) ? content : ''
  } catch (error) {
    const flaw = unreadable('file-unreadable', error, { file: shown(path) })
    throw new SymupError(flaw.message, [flaw])
  }
}

function hashesOf(content: Buffer): string[] {
  const hash = (name: string, encoding: 'hex' | 'base64') => createHash(name).update(content).digest(encoding)
  const integrity = ['sha256', 'sha384', 'sha512'].map((name) => `${name}-${hash(name, 'base64')}`)
  return [...integrity, hash('md5', 'hex'), hash('sha1', 'hex'), hash('sha256', 'hex')]
}

/**
 * Writes the map before the script, so that an interrupted run can be repeated.
 * @throws SymupError if the system refuses to write.
 */
function write({ files }: Change): void {
  for (const { path, text } of files) {
    const target = realpathSync(path)
    const temporary = join(dirname(target), `.symup-${randomUUID()}`)
    try {
      writeFileSync(temporary, text, { mode: statSync(target).mode, flag: 'wx' })
      renameSync(temporary, target)
    } catch (error) {
      rmSync(temporary, { force: true })
      const refused = problem('system-refusal', t`System error: ${(error as Error).message}.`)
      throw new SymupError(refused.message, [refused])
    }
  }
}
