import { fileNameOf } from '@symup/core/resolving'
import { parseStack, platformOf } from '@symup/symbolicate/internal'
import { type Store, startOf } from '../symbols/room.ts'
import type { Guess } from './api.ts'
import { readPasted } from './paste.ts'

/**
 * Browser consoles shorten `https://h/js/app.js:1:85` to `app.js:1:85`. Restores the path if exactly one file in the release has this name.
 */
export async function withPaths(
  { database: { scans } }: Store,
  stack: string,
  { service, version }: { service: string; version: string },
): Promise<string> {
  // Stacks from browser consoles are short, so a long stack must come from another source.
  if (startOf(stack) !== stack) return stack
  const names = new Set(parseStack(stack).flatMap(({ file }) => (file && /^[^/:\\]+$/.test(file) ? [file] : [])))
  if (names.size === 0) return stack
  const rows = await scans
    .selectFrom('artifact')
    .select(['file_name', 'path'])
    .distinct()
    .where('service', '=', service)
    .where('version', '=', version)
    .where('file_name', 'in', [...names].slice(0, MAX_NAMES))
    .execute()
  let text = stack
  for (const name of names) {
    const [own, ...others] = rows.filter((row) => row.file_name === name && row.path !== '')
    if (!own || others.length > 0) continue
    for (const before of [' ', '(']) text = text.replaceAll(`${before}${name}:`, () => `${before}${own.path}:`)
  }
  return text
}

const MAX_CANDIDATES = 5
const MAX_NAMES = 50
const MAX_ROWS = 2000
/** Matches build ids and UUIDs in the formats that stack traces and crash reports use. */
const ID = /\b(?:[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})\b/gi
const FRAME = /^(?:[ \t]*(?:at |\d{1,3}\s+\S+\s+0x)|.{0,200}(?:\sat |#\d\d? ))|@[^\s@]+:\d/m

/**
 * Guesses the format of a pasted stack and the releases that may have produced it. If no release contains files or ids from the stack, the
 * newest releases for the platform are candidates.
 */
export async function guess({ database: { scans } }: Store, text: string): Promise<Guess> {
  const { stack: whole, form, service, version, debugIds } = readPasted(text)
  const stack = startOf(whole)
  const platform = platformOf(stack)
  const frames = parseStack(stack)
  const names = unique(frames.flatMap(({ file }) => (file === undefined ? [] : [fileNameOf(file)])))
  const ids = unique([...Object.values(debugIds ?? {}), ...(stack.match(ID) ?? [])].map((id) => id.toLowerCase()))
  const artifacts = scans
    .selectFrom('artifact')
    .select(['service', 'version'])
    .where('service', '!=', '')
    .orderBy('updated_at', 'desc')
  const named = await artifacts
    .where((eb) =>
      eb.or([
        ...(names.length > 0 ? [eb('file_name', 'in', names)] : []),
        ...(ids.length > 0 ? [eb('build_id', 'in', ids), eb('debug_id', 'in', ids), eb('uuids', 'in', ids)] : []),
      ]),
    )
    .limit(MAX_ROWS)
    .execute()
  const hasMatches = named.length > 0
  const rows = hasMatches ? named : await artifacts.where('platform', '=', platform).limit(MAX_NAMES).execute()
  const counts = new Map<string, Guess['candidates'][number]>()
  for (const row of rows) {
    if ((service ?? row.service) !== row.service || (version ?? row.version) !== row.version) continue
    const key = JSON.stringify([row.service, row.version])
    const { matches } = counts.get(key) ?? { matches: 0 }
    counts.set(key, { ...row, matches: matches + (hasMatches ? 1 : 0) })
  }
  // The sort is stable, so equally good matches remain sorted from newest to oldest.
  const candidates = [...counts.values()].sort((a, b) => b.matches - a.matches).slice(0, MAX_CANDIDATES)
  return {
    form,
    platform,
    hasFrames: frames.length > 0 || FRAME.test(stack) || form === 'event' || form === 'report',
    ...(service !== undefined && { service }),
    ...(version !== undefined && { version }),
    candidates,
  }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))].slice(0, MAX_NAMES)
}
