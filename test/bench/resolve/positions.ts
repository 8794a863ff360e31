import { readFileSync } from 'node:fs'
import { fractionsOf } from '../../support/random.ts'

/** Positions of names in a script, where errors usually are; lines and columns start at 1. */
export function positionsIn(script: string, count: number, seed: number): { line: number; column: number }[] {
  const text = readFileSync(script, 'utf8')
  const random = fractionsOf(seed)
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const found: { line: number; column: number }[] = []
  while (found.length < count) {
    const line = Math.floor(random() * starts.length)
    const offset = Math.floor(random() * text.length)
    let low = line
    if (starts.length > 1) {
      low = starts.findIndex((start, at) => start <= offset && (starts[at + 1] ?? text.length) > offset)
      if (low < 0) continue
    } else low = 0
    const at = text.slice(offset, offset + 200).search(/[A-Za-z_$]/)
    if (at < 0) continue
    const column = offset + at - (starts[low] as number) + 1
    if (starts[low + 1] !== undefined && column > (starts[low + 1] as number) - (starts[low] as number)) continue
    found.push({ line: low + 1, column })
  }
  return found
}
