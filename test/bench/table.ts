/** A column of a table, such as `CPU s`. */
interface Metric {
  name: string
  digits: number
}

/** The cost of one contestant in each round, by metric name; or why it could not run. */
export interface Row {
  name: string
  samples: Readonly<Record<string, number[]>>
  failure?: string
}

/** The limit for a figure: as a ratio to the table's base, unless `absolute`. */
export interface Goal {
  row: string
  metric: string
  atMost?: number
  atLeast?: number
  absolute?: true
}

export interface Table {
  name: string
  title: string
  metrics: readonly Metric[]
  rows: readonly Row[]
  /** Name of the row that ratios refer to. */
  base?: string
  goals: readonly Goal[]
  notes: readonly string[]
}

/** A figure of a table: the best of the rounds, its ratio to the base's best, and the smallest and largest ratio of one round. */
interface Figure {
  best: number
  ratio?: number
  least?: number
  largest?: number
}

/** Other load on the machine only adds time, so the smallest figure is the most accurate; for rates, the largest. */
function figureOf(
  { rows, base }: Pick<Table, 'rows' | 'base'>,
  { samples }: Row,
  metric: string,
  isRate = false,
): Figure | undefined {
  const best = (of: readonly number[]) => (isRate ? Math.max(...of) : Math.min(...of))
  const own = samples[metric] ?? []
  if (own.length === 0) return undefined
  const peer = rows.find(({ name }) => name === base)?.samples[metric] ?? []
  if (peer.length === 0) return { best: best(own) }
  const ratios = own.flatMap((value, round) => (peer[round] === undefined ? [] : [value / peer[round]]))
  const range = ratios.length > 0 && { least: Math.min(...ratios), largest: Math.max(...ratios) }
  return { best: best(own), ratio: best(own) / best(peer), ...range }
}

export interface Judged {
  goal: Goal
  figure: number | undefined
  isMet: boolean
}

/** A figure that was not measured does not meet its goal. */
export function judge(table: Table): Judged[] {
  return table.goals.map((goal) => {
    const row = table.rows.find(({ name }) => name === goal.row)
    const found = row && figureOf(table, row, goal.metric, isRate(goal.metric))
    const figure = goal.absolute ? found?.best : found?.ratio
    const isMet =
      figure !== undefined &&
      figure <= (goal.atMost ?? Number.POSITIVE_INFINITY) &&
      figure >= (goal.atLeast ?? Number.NEGATIVE_INFINITY)
    return { goal, figure, isMet }
  })
}

const isRate = (metric: string) => metric.endsWith('/s')

/**
 * The table in Markdown: `5.40 (0.35; 0.33–0.38)` is the best figure, its ratio to the base, and the range of that ratio between rounds.
 */
export function markdown(table: Table): string {
  const { title, metrics, rows, base, notes } = table
  const cells = (row: Row) =>
    metrics.map(({ name, digits }) => cell(figureOf(table, row, name, isRate(name)), digits, row.name === base))
  const ran = rows.filter(({ failure }) => failure === undefined)
  const lines = [
    `**${title}**`,
    '',
    `|  | ${metrics.map(({ name }) => name).join(' | ')} |`,
    `|---|${metrics.map(() => '---|').join('')}`,
    ...ran.map((row) => `| ${row.name} | ${cells(row).join(' | ')} |`),
  ]
  const failed = rows.filter(({ failure }) => failure !== undefined)
  const output = [...notes, ...failed.map(({ name, failure }) => `${name} did not run: ${failure}`)]
  return [...lines, ...(output.length > 0 ? ['', ...output.map((line) => `- ${line}`)] : [])].join('\n')
}

function cell(figure: Figure | undefined, digits: number, isBase: boolean): string {
  if (!figure) return ''
  const { best, ratio, least, largest } = figure
  const value = best.toFixed(digits)
  if (ratio === undefined || isBase) return value
  const range = least === undefined || largest === undefined ? '' : `; ${least.toFixed(2)}–${largest.toFixed(2)}`
  return `${value} (${ratio.toFixed(2)}${range})`
}

/** `met: upload-M, symup, CPU s: 0.35, at most 0.38`. */
export function goalLine(table: string, { goal, figure, isMet }: Judged): string {
  const limit = goal.atMost === undefined ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
  const value = figure === undefined ? 'not measured' : figure.toFixed(figure < 10 ? 2 : 0)
  return `${isMet ? 'met   ' : 'MISSED'} ${table}, ${goal.row}, ${goal.metric}: ${value}, ${limit}`
}
