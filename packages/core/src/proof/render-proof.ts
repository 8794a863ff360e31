import type { Line } from '../model/line.ts'
import { t } from '../text.ts'
import type { Proof } from './prove.ts'
import type { SourceProof } from './prove-script.ts'
import { named } from './sources.ts'

/**
 * The one line that says it: `1,191 of 1,191 places in 48 of your files resolve to the line (12 scripts).` Only places of those files are counted, none of libraries.
 * Then the first files that do not resolve and why, scripts that do not fit their map, and how many places have no source at all.
 */
export function renderProof({ positions, resolved, files, dataFiles, textlessFiles, misfits, own }: Proof): Line[] {
  if (files === 0) return []
  const notes = [
    notJudged(
      files,
      dataFiles,
      (which, one) => t`; ${which} ${one ? 'holds' : 'hold'} mostly data, which is not judged`,
    ),
    notJudged(
      files,
      textlessFiles,
      (which, one) => t`; ${which} ${one ? 'has' : 'have'} no source text to compare with`,
    ),
  ]
  const scripts = t`(${shownNumber(files)} script${files === 1 ? '' : 's'}${notes.join('')})`
  const all = [...own.sources]
  const wrong = all.flatMap(([name, { wrong }]) => (wrong === undefined ? [] : [[name, wrong] as const]))
  const right = all.filter(([, source]) => source.wrong === undefined && source.places > 0).map(([, source]) => source)
  if (right.length + wrong.length === 0) {
    if (positions === 0 && misfits.length === 0)
      return [{ severity: 'info', text: t`No code that a stack could name ${scripts}: nothing was tried.` }]
    const isGood = resolved === positions && misfits.length === 0
    return [{ severity: isGood ? 'good' : 'warning', text: t`${of(resolved, positions)} places resolve ${scripts}.` }]
  }
  const [places, lines] = [sum(right, 'places'), sum(right, 'resolved')]
  const parts = [
    right.length > 0 && t`${of(lines, places)} places in ${right.length} of your files resolve to the line ${scripts}`,
    wrong.length > 0 && wrongFiles(wrong, right.length > 0 ? '' : ` ${scripts}`),
    misfits.length > 0 &&
      t`${misfits.length} script${misfits.length === 1 ? '' : 's'} ${misfits.length === 1 ? 'does' : 'do'} not fit the map: ${named(misfits)}`,
    own.unmapped > 0 &&
      t`${shownNumber(own.unmapped)} place${own.unmapped === 1 ? '' : 's'} ${own.unmapped === 1 ? 'has' : 'have'} no source${own.lostBy === undefined ? '' : t` (${own.lostBy})`}`,
  ].filter((part) => part !== false)
  const isGood = parts.length === 1 && wrong.length === 0 && lines * 100 >= places * 99
  return [{ severity: isGood ? 'good' : 'warning', text: t`${parts.join(t`; `)}.` }]
}

/** `; 3 of them hold mostly data, which is not judged` */
function notJudged(files: number, some: number, say: (which: string, isOne: boolean) => string): string {
  if (some === 0) return ''
  const which = some === files ? (files === 1 ? t`it` : t`all of them`) : t`${some} of them`
  return say(which, some === 1)
}

function wrongFiles(wrong: readonly (readonly [name: string, why: string])[], scripts: string): string {
  const text =
    scripts === ''
      ? t`${shownNumber(wrong.length)} file${wrong.length === 1 ? '' : 's'} ${wrong.length === 1 ? 'does' : 'do'} not`
      : t`${wrong.length} of your files ${wrong.length === 1 ? 'does' : 'do'} not resolve${scripts}`
  return t`${text}: ${named(wrong.map(([source, why]) => t`${source} (${why})`))}`
}

function sum(sources: readonly SourceProof[], what: 'places' | 'resolved'): number {
  return sources.reduce((all, source) => all + source[what], 0)
}

function of(part: number, whole: number): string {
  return t`${shownNumber(part)} of ${shownNumber(whole)}`
}

/** With thousands separators. Not from `Intl`, whose first use takes 20 ms. */
function shownNumber(many: number): string {
  return String(many).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
