import { formatBytes } from '../files/format-bytes.ts'
import { shownPath } from '../files/shown-path.ts'
import { placeOf, traitsOf } from '../kinds/index.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import { uploadBytes } from '../model/plan.ts'
import { isComplete, type Report } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'
import { columnsOf, padded } from '../text/columns.ts'
import { t } from '../text.ts'

/** The maximum number of files per block. Problems with the same code are shown in one block. */
const FILES_SHOWN = 3
/** The maximum number of messages per block. Messages contain details that appear nowhere else, so more messages than files are shown. */
const MESSAGES_SHOWN = 10

/**
 * Returns a table of the artifacts that a dry run would send. For web builds, each row contains the URL of the script.
 * @param root the directory that displayed paths are relative to.
 */
export function renderPlan(plan: Plan, root: string): Line[] {
  const rows = plan.uploads.map(
    (item) =>
      [
        formatBytes(uploadBytes(item)),
        shownPath(item.from ?? item.parts.at(-1)?.path ?? '', root),
        placeOf(item.event),
      ] as const,
  )
  const width = Math.max(4, ...rows.map(([, file]) => file.length))
  const line = (size: string, file: string, url: string): Line => ({
    severity: 'info',
    text: `${' '.repeat(Math.max(0, 9 - columnsOf(size)))}${size}  ${padded(file, width)} → ${url}`,
  })
  const lines: Line[] = rows.map((row) => line(...row))
  const isWeb = rows.length > 0 && plan.uploads.every(({ event }) => traitsOf(event).ships)
  if (isWeb) lines.unshift(line(t`size`, t`file`, t`URL reported by browsers`))
  return lines
}

export function planTotals({ uploads }: Plan): { count: number; text: string } {
  const count = uploads.length
  const bytes = uploads.reduce((sum, item) => sum + uploadBytes(item), 0)
  return { count, text: t`${count} artifact${count === 1 ? '' : 's'}, ${formatBytes(bytes)}` }
}

export function summaryOf(report: Report): Line {
  const { accepted, alreadyThere, refused, failed, notTried, bytesSent, milliseconds } = report.totals
  const total = report.outcomes.length
  if (total === 0) {
    const isPrevented = report.problems.some(
      ({ category, severity }) => severity === 'error' && category !== 'nothing-found',
    )
    const text = isPrevented
      ? t`Nothing was uploaded because of the errors above.`
      : t`Nothing was uploaded because no symbol files were found.`
    return { severity: 'error', text }
  }
  const artifacts = t`${total} artifact${total === 1 ? '' : 's'}`
  if (isComplete(report)) {
    const withThere = alreadyThere === 0 ? artifacts : t`${artifacts} (${alreadyThere} already uploaded)`
    const what = withHeld(withThere, report)
    const summary = t`Uploaded ${what}, ${formatBytes(bytesSent)} in ${(milliseconds / 1000).toFixed(1)} s.`
    const unplanned = report.problems.filter(isUnplanned).length
    if (unplanned === 0) return mismatchIn(report, artifacts) ?? { severity: 'good', text: summary }
    const rest = t`${unplanned} other artifact${unplanned === 1 ? '' : 's'} could not be prepared.`
    return { severity: 'error', text: t`${summary} ${rest}` }
  }
  const lost = [
    ...(refused === 0 ? [] : [t`${refused} refused`]),
    ...(failed === 0 ? [] : [t`${failed} failed`]),
    ...(notTried === 0 ? [] : [t`${notTried} not sent`]),
  ]
  const uploaded = accepted + alreadyThere
  const text =
    alreadyThere === 0
      ? t`Upload failed: ${uploaded} of ${artifacts} uploaded, ${lost.join(', ')}.`
      : t`Upload failed: ${uploaded} of ${artifacts} uploaded (${alreadyThere} previously), ${lost.join(', ')}.`
  return { severity: 'error', text }
}

/** Returns a line that reports artifacts that were sent although they would not resolve. */
function mismatchIn({ problems, positions }: Report, artifacts: string): Line | undefined {
  const wrong = problems.filter(({ category, severity }) => category === 'would-not-resolve' && severity === 'error')
  if (wrong.length === 0) return undefined
  const warning = (text: string): Line => ({ severity: 'warning', text })
  if (positions?.resolved === 0) return warning(t`Uploaded ${artifacts}, but none of the checked positions resolve.`)
  const { size: count } = new Set(wrong.map(({ file }) => file))
  return count === 1
    ? warning(t`Uploaded ${artifacts}, but 1 script does not match its source map.`)
    : warning(t`Uploaded ${artifacts}, but ${count} scripts do not match their source maps.`)
}

/** Adds a note about content that was referenced instead of sent, such as `(1.2 MiB already on the server)`. */
function withHeld(text: string, { outcomes }: Report): string {
  const bytes = outcomes.reduce((sum, { heldBytes = 0 }) => sum + heldBytes, 0)
  return bytes === 0 ? text : t`${text} (${formatBytes(bytes)} already on the server)`
}

/**
 * Tests whether an artifact with this problem is left out of the plan. Leaks concern only the output, and an artifact that would not
 * resolve is still sent.
 */
function isUnplanned({ category, severity }: Problem): boolean {
  return severity === 'error' && category !== 'leak' && category !== 'would-not-resolve'
}

/** Renders problems with their fixes, in one block per cause. Errors come last so that they are next to the summary. */
export function renderProblems(problems: readonly Problem[]): Line[] {
  const shown = new Set(problems.map(({ code }) => code))
  const isEffect = ({ cause }: Problem) => cause !== undefined && shown.has(cause)
  const groups = new Map<string, Problem[]>()
  for (const item of problems.filter((one) => !isEffect(one))) {
    const key = `${item.code}\n${item.file === undefined ? item.message : ''}\n${item.severity}\n${item.fix}`
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  const effects = problems.filter(isEffect)
  const rank = { info: 0, warning: 1, error: 2 } as const
  return [...groups.values()]
    .sort((a, b) => rank[(a[0] as Problem).severity] - rank[(b[0] as Problem).severity])
    .flatMap((group) => renderGroup(group, effects.filter(({ cause }) => cause === group[0]?.code).length))
}

function renderGroup(group: Problem[], effects: number): Line[] {
  const { code, severity, fix, docs } = group[0] as Problem
  const word = { error: t`error`, warning: t`warning`, info: t`info` }[severity]
  const lines: string[] = []
  const messages = new Set(group.map(({ message }) => message))
  const files = group.flatMap(({ file }) => file ?? [])
  if (group.length === 1 || messages.size > 1) {
    const [first, ...others] = group
      .slice(0, MESSAGES_SHOWN)
      .map(({ file, message }) => `${file ?? ''}${file === undefined ? '' : t`: `}${message}`)
    if (group.length === 1) lines.push(t`${word} ${code}: ${first}`)
    else lines.push(t`${word} ${code}: ${group.length} times`, ...[first, ...others].map((text) => `  ${text}`))
    if (group.length > MESSAGES_SHOWN) lines.push(t`  … and ${group.length - MESSAGES_SHOWN} more`)
  } else {
    const more = files.length > FILES_SHOWN ? t` and ${files.length - FILES_SHOWN} more` : ''
    const where =
      files.length === 0
        ? t`${group.length} times`
        : t`${files.length} files: ${files.slice(0, FILES_SHOWN).join(', ')}${more}`
    lines.push(t`${word} ${code}: ${group[0]?.message} (${where})`)
  }
  if (effects > 0)
    lines.push(
      effects === 1
        ? t`  1 more artifact was not sent because of this problem.`
        : t`  ${effects} more artifacts were not sent because of this problem.`,
    )
  if (fix !== '') lines.push(t`  fix: ${fix}`)
  if (severity !== 'info') lines.push(t`  see: ${docs}`)
  return lines.map((text) => ({ severity, text }))
}
