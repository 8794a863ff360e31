import type { Line } from '../model/line.ts'
import { t } from '../text.ts'
import type { SourceProof } from './own-proof.ts'
import type { Proof } from './prove.ts'
import { named } from './sources.ts'

/**
 * The one line that says it: `1,191 of 1,191 places in 48 of your files resolve to the line (12 scripts).` Only places of those files are counted, none of libraries.
 * What does not resolve comes first: places with where the map leads from them, files and why, scripts that do not fit their map, and how many places have no source at all. Then files that
 * could not be checked.
 */
export function renderProof(proof: Proof): Line[] {
  const { positions, resolved, files, dataFiles, misfits, own } = proof
  if (files === 0) return []
  const data = dataFiles === 0 ? '' : dataNote(files, dataFiles)
  const scripts = t`(${shownNumber(files)} script${files === 1 ? '' : 's'}${data})`
  const all = [...own.sources]
  const wrong = all.flatMap(([name, { wrong }]) => (wrong === undefined ? [] : [t`${name} (${wrong})`]))
  const right = all.filter(([, { wrong, places }]) => wrong === undefined && places > 0)
  const unchecked = all.filter(([, { wrong, isUnchecked }]) => wrong === undefined && isUnchecked).length
  const isByFile = right.length + wrong.length > 0
  const counts = isByFile ? countsOf(right) : { places: positions, resolved, failed: proof.failed }
  const failures = [
    placesPart(counts),
    wrong.length > 0 &&
      t`${of(wrong.length, right.length + wrong.length + unchecked)} source files ${wrong.length === 1 ? 'does' : 'do'} not resolve${right.length === 0 ? ` ${scripts}` : ''}: ${named(wrong)}`,
    misfits.length > 0 &&
      t`${misfits.length} script${misfits.length === 1 ? '' : 's'} ${misfits.length === 1 ? 'does' : 'do'} not fit the map: ${named(misfits)}`,
    own.unmapped > 0 &&
      t`${shownNumber(own.unmapped)} place${own.unmapped === 1 ? '' : 's'} ${own.unmapped === 1 ? 'has' : 'have'} no source${own.lostBy === undefined ? '' : t` (${own.lostBy})`}`,
  ]
  const places = of(counts.resolved, counts.places)
  const parts = [
    ...failures,
    right.length > 0 && t`${places} places in ${right.length} of your files resolve to the line ${scripts}`,
    !isByFile && counts.places > 0 && t`${places} places resolve ${scripts}`,
    !isByFile &&
      counts.places === 0 &&
      proof.textlessFiles === 0 &&
      misfits.length === 0 &&
      t`No code that a stack could name ${scripts}: nothing was tried`,
    uncheckedPart(unchecked, proof),
  ].filter((part) => part !== false)
  const hasFailures = failures.slice(1).some((part) => part !== false)
  return [{ severity: severityOf(counts, hasFailures, unchecked > 0), text: t`${parts.join(t`; `)}.` }]
}

/** Places of some sources, and where the map leads from those that do not resolve. */
interface Counts {
  places: number
  resolved: number
  /** `file:line:column` */
  failed: readonly string[]
}

function countsOf(sources: readonly (readonly [name: string, source: SourceProof])[]): Counts {
  return {
    places: sources.reduce((sum, [, { places }]) => sum + places, 0),
    resolved: sources.reduce((sum, [, source]) => sum + source.resolved, 0),
    failed: sources.flatMap(([name, { failed = [] }]) => failed.map((position) => `${name}:${position}`)),
  }
}

/** Places that do not resolve, the first three by where the map leads: several may lead to one position. */
function placesPart({ places, resolved, failed }: Counts): string | false {
  const count = places - resolved
  if (count === 0 || failed.length === 0) return false
  return t`${of(count, places)} places ${count === 1 ? 'does' : 'do'} not resolve: ${named(failed)}`
}

function uncheckedPart(unchecked: number, { files, textlessFiles }: Proof): string | false {
  if (unchecked > 0)
    return t`${shownNumber(unchecked)} source file${unchecked === 1 ? '' : 's'} not checked: the map has no text to compare`
  if (textlessFiles === 0) return false
  return t`${of(textlessFiles, files)} scripts not checked: the map has no text to compare`
}

function severityOf({ places, resolved }: Counts, hasFailures: boolean, isPartial: boolean): Line['severity'] {
  if (hasFailures || resolved * 100 < places * 99) return 'warning'
  return isPartial || places === 0 ? 'info' : 'good'
}

/** `; 3 of them hold mostly data, which is not judged` */
function dataNote(files: number, some: number): string {
  const which = some === files ? (files === 1 ? t`it` : t`all of them`) : t`${some} of them`
  return t`; ${which} ${some === 1 ? 'holds' : 'hold'} mostly data, which is not judged`
}

function of(part: number, whole: number): string {
  return t`${shownNumber(part)} of ${shownNumber(whole)}`
}

/** With thousands separators. Not from `Intl`, whose first use takes 20 ms. */
function shownNumber(many: number): string {
  return String(many).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
