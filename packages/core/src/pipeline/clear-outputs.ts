import { dirname } from 'node:path'
import { nameBelow } from '../files/name-below.ts'
import { isBelow } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import type { Line } from '../model/line.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { type Deleted, deleteMaps, deleteStagedCopies, type Statuses } from './delete-maps.ts'
import type { BuildOutput } from './outputs.ts'
import { type ResumeContext, resumeCommand, type ToSend } from './resume-command.ts'
import { prefixOf, stage } from './staging.ts'
import { unlinkMaps } from './unlink-maps.ts'

/** What was done, and what the user can do about the rest. */
export interface Cleared {
  /** Shown whatever else is; `details` where there is room. */
  lines: Line[]
  details: Line[]
  problems: Problem[]
  /** Absolute paths of files that name a map that is gone, because another file holds their hash. */
  hashed: string[]
}

/**
 * After sending, or in its place: deletes the maps that may go, moves away those that are still to be sent where none is to stay, and gives the
 * commands that send the rest.
 * @param statuses what became of each upload of the plan; empty when nothing was sent.
 */
export async function clearOutputs(
  outputs: readonly BuildOutput[],
  plan: Plan,
  statuses: Statuses,
  context: ResumeContext,
): Promise<Cleared> {
  const { settings, root, later = false } = context
  const problems: Problem[] = []
  const lines: Line[] = []
  const all: Deleted[] = []
  const unlinked: Line[] = []
  const hashed: string[] = []
  const staged = new Set<SymbolUpload>()
  const toSend: ToSend[] = []
  for (const output of outputs) {
    const deleted = await deleteMaps(output, plan, statuses, root)
    await deleteStagedCopies(output.directory, plan, deleted.arrived)
    const waiting = later ? plan.uploads.filter((upload) => isOf(output, upload)) : deleted.waiting
    const moved = await stage(output, waiting, settings, { root, later })
    all.push(deleted)
    problems.push(...deleted.problems, ...moved.problems)
    const gone = [...deleted.arrived, ...deleted.unsent, ...moved.staged.flatMap(({ maps }) => maps)]
    const names = await unlinkMaps(output.directory, gone, root, output.hashedIn)
    unlinked.push(...names.lines)
    hashed.push(...names.hashed)
    for (const place of moved.staged) {
      for (const upload of place.uploads) staged.add(upload)
      toSend.push({ ...place, isStaged: true })
    }
  }
  const left = plan.uploads.filter((upload, index) => !isThere(statuses[index]) && !staged.has(upload))
  toSend.push(...inPlace(outputs, left, settings.minifiedPathPrefix?.value ?? ''))
  const count = (of: 'arrived' | 'unsent') => all.reduce((sum, deleted) => sum + deleted[of].length, 0)
  if (toSend.length > 0 && !context.isCommand && !later) lines.push(...commandLines(toSend, context))
  const details = [...deletedLines(count('arrived'), count('unsent')), ...unlinked]
  return { lines, details, problems, hashed }
}

function isOf({ directory }: BuildOutput, { parts }: SymbolUpload): boolean {
  return parts.some(({ path }) => isBelow(path, directory))
}

function isThere(status: Statuses[number]): boolean {
  return status === 'accepted' || status === 'already-there'
}

/** What is to be sent from where the build wrote it, by what the addresses begin with: a server, and some files of a framework, have their own. */
function inPlace(outputs: readonly BuildOutput[], left: readonly SymbolUpload[], usual: string): ToSend[] {
  return outputs.flatMap((output) => {
    const { directory } = output
    const byPrefix = new Map<string, { uploads: SymbolUpload[]; files: string[] }>()
    for (const upload of left) {
      const { event, parts } = upload
      if (!isOf(output, upload)) continue
      const script = parts.find(({ name }) => name === 'minified_file')
      const file = script && nameBelow(directory, script.path)
      const prefix = file !== undefined && 'minified_url' in event ? prefixOf(event.minified_url, file, usual) : usual
      const group = byPrefix.get(prefix) ?? { uploads: [], files: [] }
      byPrefix.set(prefix, group)
      group.uploads.push(upload)
      if (file !== undefined) group.files.push(file)
    }
    return [...byPrefix].map(([prefix, { uploads, files }]): ToSend => {
      const others = [...byPrefix].flatMap(([other, group]) => (other === prefix ? [] : group.files))
      const only = others.length === 0 ? undefined : globsFor(files, others)
      return { directory, uploads, prefix, isStaged: false, ...(only && { only }) }
    })
  })
}

/** Globs that match some files and not the others: their directories at the top where these hold no others. */
function globsFor(files: readonly string[], others: readonly string[]): string[] {
  const top = (file: string) => file.replace(/\/.*/, '/**')
  const taken = new Set(others.map(top))
  return [...new Set(files.map((file) => (taken.has(top(file)) ? file : top(file))))]
}

/** Warnings, so that they go to the same stream as the last line and stand before it. */
function commandLines(toSend: readonly ToSend[], context: ResumeContext): Line[] {
  const { settings, root } = context
  const staged = toSend.filter(({ isStaged }) => isStaged)
  const said =
    staged.length === 0
      ? t`The source maps stay where they are.`
      : t`Source maps that are still to be sent were moved to ${shownPath(dirname((staged[0] as ToSend).directory), root)}${staged.length < toSend.length ? t`; others stay where they are` : ''}.`
  const key = settings.apiKey?.from.kind === 'option' ? t`, with SYMUP_API_KEY in the environment` : ''
  return [
    { severity: 'warning', text: t`${said} To send what is missing${key}:` },
    ...toSend.map((one): Line => ({ severity: 'warning', text: `  ${resumeCommand(one, context)}` })),
  ]
}

function deletedLines(arrived: number, unsent: number): Line[] {
  const lines: Line[] = []
  const say = (count: number, why: string) => {
    if (count > 0)
      lines.push({ severity: 'info', text: t`Deleted ${count} source map${count === 1 ? '' : 's'} ${why}.` })
  }
  say(arrived, t`that the intake has`)
  say(unsent, t`that would have shipped and that the intake has no use for`)
  return lines
}
