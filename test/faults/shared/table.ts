import type { Row } from './outcomes.ts'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** As Markdown: a line for each fault, and one for all. */
export function tableOf(rows: readonly Row[]): string {
  const sorted = [...rows].sort(
    (a, b) => Number(b.fault === 'none') - Number(a.fault === 'none') || a.fault.localeCompare(b.fault),
  )
  const total: Row = { fault: '**all**', tried: 0, wrong: 0, lost: 0, outage: 0, longest: 0 }
  for (const row of rows) {
    total.tried += row.tried
    total.wrong += row.wrong
    total.lost += row.lost
    total.outage = Math.max(total.outage, row.outage)
    total.longest = Math.max(total.longest, row.longest)
  }
  const cells = [
    ['what breaks', 'operations tried', 'answered wrongly', 'lost', 'longest outage', 'longest wait of a client'],
    ...[...sorted, total].map(({ fault, tried, wrong, lost, outage, longest }) => [
      fault,
      tried.toLocaleString('en'),
      String(wrong),
      String(lost),
      seconds(outage),
      seconds(longest),
    ]),
  ]
  const widths = (cells[0] as string[]).map((_, at) => Math.max(...cells.map((line) => (line[at] as string).length)))
  const lines = cells.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] as number)).join(' | ')} |`)
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  return lines.join('\n')
}
