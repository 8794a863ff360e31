import type { Line } from '../model/line.ts'
import type { Proof } from './prove.ts'

const MAX_NAMED = 3

/**
 * The one line that says it: `1,191 of 1,191 places in 48 of your files resolve to the line (12 scripts).`; of files that do not, the first ones and why.
 */
export function renderProof({ positions, resolved, files, own }: Proof): Line[] {
  if (files === 0) return []
  const scripts = `(${count(files, 'script')})`
  const isGood = own.places === 0 ? resolved === positions : own.wrong.size === 0 && resolved * 100 >= positions * 99
  const severity = isGood ? 'good' : 'warning'
  if (own.places === 0) return [{ severity, text: `${of(resolved, positions)} places resolve ${scripts}.` }]
  const right = own.sources.filter((source) => !own.wrong.has(source)).length
  const text = `${of(resolved, positions)} places in ${right} of your files resolve to the line ${scripts}`
  return [{ severity, text: `${text}${own.wrong.size > 0 ? `; ${wrongFiles(own.wrong)}` : ''}.` }]
}

function wrongFiles(wrong: ReadonlyMap<string, string>): string {
  const named = [...wrong].slice(0, MAX_NAMED).map(([source, why]) => `${source} (${why})`)
  const more = wrong.size > MAX_NAMED ? ` and ${wrong.size - MAX_NAMED} more` : ''
  return `${count(wrong.size, 'file')} ${wrong.size === 1 ? 'does' : 'do'} not: ${named.join(', ')}${more}`
}

function of(part: number, whole: number): string {
  return `${part.toLocaleString('en')} of ${whole.toLocaleString('en')}`
}

function count(many: number, what: string): string {
  return `${many.toLocaleString('en')} ${what}${many === 1 ? '' : 's'}`
}
