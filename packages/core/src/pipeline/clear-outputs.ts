import { dirname, relative, sep } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import type { Line } from '../model/line.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import type { Problem } from '../problems/problems.ts'
import { type Deleted, deleteMaps, deleteStagedCopies, type Statuses } from './delete-maps.ts'
import type { BuildOutput } from './outputs.ts'
import { type CommandContext, resumeCommand, type ToSend } from './resume-command.ts'
import { prefixOf, stage } from './staging.ts'
import { unlinkMaps } from './unlink-maps.ts'

/** What was done, and what the user can do about the rest. */
export interface Cleared {
  /** Shown whatever else is; `details` where there is room. */
  lines: Line[]
  details: Line[]
  problems: Problem[]
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
  context: CommandContext,
): Promise<Cleared> {
  const { settings, root, later = false } = context
  const problems: Problem[] = []
  const lines: Line[] = []
  const all: Deleted[] = []
  const unlinked: Line[] = []
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
    unlinked.push(...(await unlinkMaps(output.directory, gone, root, output.hashedIn)))
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
  return { lines, details, problems }
}

function isOf({ directory }: BuildOutput, { parts }: SymbolUpload): boolean {
  return parts.some(({ path }) => isBelow(path, directory))
}

function isThere(status: Statuses[number]): boolean {
  return status === 'accepted' || status === 'already-there'
}

/** What is to be sent from where the build wrote it. */
function inPlace(outputs: readonly BuildOutput[], left: readonly SymbolUpload[], usual: string): ToSend[] {
  return outputs.flatMap((output) => {
    const uploads = left.filter((upload) => isOf(output, upload))
    if (uploads.length === 0) return []
    const { directory } = output
    return [{ directory, uploads, prefix: prefixIn(directory, uploads, usual), isStaged: false }]
  })
}

/** What the addresses of an output's files begin with, which may be a server's. */
function prefixIn(directory: string, uploads: readonly SymbolUpload[], usual: string): string {
  for (const { event, parts } of uploads) {
    const script = parts.find(({ name }) => name === 'minified_file')
    if (!script || !('minified_url' in event)) continue
    return prefixOf(event.minified_url, relative(directory, script.path).split(sep).join('/'), usual)
  }
  return usual
}

/** Warnings, so that they go to the same stream as the last line and stand before it. */
function commandLines(toSend: readonly ToSend[], context: CommandContext): Line[] {
  const { settings, root } = context
  const staged = toSend.filter(({ isStaged }) => isStaged)
  const said =
    staged.length === 0
      ? 'The source maps stay where they are.'
      : `Source maps that are still to be sent were moved to ${shownPath(dirname((staged[0] as ToSend).directory), root)}${staged.length < toSend.length ? '; others stay where they are' : ''}.`
  const key = settings.apiKey?.from.kind === 'option' ? ', with SYMUP_API_KEY in the environment' : ''
  return [
    { severity: 'warning', text: `${said} To send what is missing${key}:` },
    ...toSend.map((one): Line => ({ severity: 'warning', text: `  ${resumeCommand(one, context)}` })),
  ]
}

function deletedLines(arrived: number, unsent: number): Line[] {
  const lines: Line[] = []
  const say = (count: number, why: string) => {
    if (count > 0)
      lines.push({ severity: 'info', text: `Deleted ${count} source map${count === 1 ? '' : 's'} ${why}.` })
  }
  say(arrived, 'that the intake has')
  say(unsent, 'that would have shipped and that no stack needs')
  return lines
}
