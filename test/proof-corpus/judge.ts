import type { Pair } from './builds.ts'
import { offByColumns } from './columns.ts'
import type { Trial } from './trials.ts'
import { changedLines, type Line, type Lines, linesOf, wrongAsBuilt } from './truth.ts'

/** A trial and its ground truth. */
export interface Judged {
  damage?: string
  pairs: Pair[]
  /**
   * For each pair: frames thrown in it, and how many of them resolve to a wrong line. For unmodified builds, also how
   * many resolve to another position in the right line.
   */
  truth: { compared: number; changed: number; off: number }[]
  /** For unmodified builds: frames that resolve to another line than the one that threw. */
  wrong: string[]
  /** For unmodified builds: frames that resolve to another position in the right line. */
  off: string[]
}

/** The ground truth for the trials of a build. */
export function judge(trials: readonly Trial[]): Judged[] {
  const truths = new Map<number, Lines>()
  return trials.map(({ damage, pairs, thrown, base, onlyTop }) => {
    const right = trials[base] as Trial
    const truth = truths.get(base) ?? linesOf(right.thrown, right.pairs)
    truths.set(base, truth)
    const lines = damage === undefined ? truth : linesOf(thrown, pairs)
    const none = new Map<string, Line[]>()
    const wrong = damage === undefined ? wrongAsBuilt(thrown, pairs) : []
    const columns = damage === undefined ? offByColumns(thrown, pairs) : []
    const countIn = (items: { file: string }[], name: string) => items.filter(({ file }) => file === name).length
    return {
      ...(damage !== undefined && { damage }),
      pairs,
      truth: pairs.map(({ role, file }) => {
        const counts = changedLines(truth.get(role) ?? none, lines.get(role) ?? none, onlyTop)
        const changed = damage === undefined ? countIn(wrong, file) : counts.changed
        return { ...counts, changed, off: countIn(columns, file) }
      }),
      wrong: wrong.map(({ text }) => text),
      off: columns.map(({ file, text }) => `${file}: ${text}`),
    }
  })
}
