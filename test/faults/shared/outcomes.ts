/** What became of the operations during one fault. */
export interface Row {
  fault: string
  tried: number
  wrong: number
  lost: number
  /** Milliseconds in which no intake answered any operation of a kind. */
  outage: number
  /** Milliseconds that one client tried the same operation. */
  longest: number
}

interface Operation {
  /** It got its answer; whether it is the right one is another question. */
  succeeded(): void
  wrong(detail: string): void
}

/** Counts operations by the fault that there was when they began. */
export interface Outcomes {
  /** What is counted from now on. */
  during(fault: string): void
  begin(kind: string): Operation
  wrong(kind: string, detail: string): void
  lost(count: number): void
  rows(): Row[]
  /** What was wrong, each in a line. */
  details: string[]
}

export function createOutcomes(): Outcomes {
  const rows = new Map<string, Row>()
  const details: string[] = []
  /** When an operation of the kind was last answered. */
  const answered = new Map<string, { at: number; row: Row }>()
  const rowOf = (fault: string) => {
    const row = rows.get(fault) ?? { fault, tried: 0, wrong: 0, lost: 0, outage: 0, longest: 0 }
    rows.set(fault, row)
    return row
  }
  let current = rowOf('none')
  const countWrong = (row: Row, kind: string, detail: string) => {
    row.wrong++
    details.push(`${row.fault}, ${kind}: ${detail}`)
  }
  return {
    details,
    during(fault) {
      current = rowOf(fault)
      // An outage that began before belongs to what was before.
      for (const last of answered.values()) last.row = last.at > performance.now() - 100 ? current : last.row
    },
    begin(kind) {
      const row = current
      const began = performance.now()
      row.tried++
      return {
        succeeded() {
          const at = performance.now()
          row.longest = Math.max(row.longest, at - began)
          const last = answered.get(kind)
          if (last) last.row.outage = Math.max(last.row.outage, at - last.at)
          answered.set(kind, { at, row: current })
        },
        wrong: (detail) => countWrong(row, kind, detail),
      }
    },
    wrong: (kind, detail) => countWrong(current, kind, detail),
    lost(count) {
      current.lost += count
    },
    rows: () => [...rows.values()],
  }
}
