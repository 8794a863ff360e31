import type { Line } from '../model/line.ts'
import type { Problem, ProblemCode } from '../problems/problems.ts'
import { padded } from '../text/columns.ts'
import { phrase, t, translated } from '../text.ts'

const ROWS = 10
const INFO_ROWS = 3

const WHAT: Readonly<Partial<Record<ProblemCode, string>>> = {
  'leak-api-key': phrase`API key`,
  'leak-map': phrase`source map`,
  'leak-reference': phrase`reference`,
  'leak-manifest': phrase`list`,
  'map-inline': phrase`inline map`,
}

export function isLeak({ code }: Problem): boolean {
  return Object.hasOwn(WHAT, code)
}

/** Returns a table of leaks, sorted by decreasing severity, followed by the fix for each type of leak. */
export function renderLeaks(problems: readonly Problem[]): Line[] {
  const leaks = problems.filter(isLeak)
  if (leaks.length === 0) return []
  const width = Math.max(...leaks.map(({ file = '' }) => file.length))
  const lines: Line[] = [{ severity: worst(leaks), text: t`Content in the output that anyone can read:` }]
  const codes = Object.keys(WHAT).filter((code) => leaks.some((leak) => leak.code === code)) as ProblemCode[]
  for (const code of codes) {
    const rows = leaks.filter((leak) => leak.code === code)
    const severity = worst(rows)
    const most = severity === 'info' ? INFO_ROWS : ROWS
    for (const { file = '', message, severity } of rows.slice(0, most)) {
      lines.push({
        severity,
        text: `  ${padded(translated(WHAT[code] as string), 10)}  ${file.padEnd(Math.min(width, 60))}  ${message}`,
      })
    }
    if (rows.length > most) lines.push({ severity, text: t`  … and ${rows.length - most} more of this kind` })
    for (const fix of new Set(rows.map((row) => row.fix))) lines.push({ severity, text: t`  fix: ${translated(fix)}` })
  }
  return lines
}

function worst(problems: readonly Problem[]): Line['severity'] {
  const severities = problems.map(({ severity }) => severity)
  return severities.includes('error') ? 'error' : severities.includes('warning') ? 'warning' : 'info'
}
