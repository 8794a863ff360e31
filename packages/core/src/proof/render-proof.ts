import type { Line } from '../model/line.ts'
import { t } from '../text.ts'
import type { SourceProof } from './own-proof.ts'
import type { Proof } from './prove.ts'
import { named } from './sources.ts'

/**
 * Renders the result of the check: the problems, the files that could not be checked, and the number of checked positions. Positions in
 * libraries are not counted.
 */
export function renderProof(proof: Proof): Line[] {
  const { positions, resolved, files, misfits, own } = proof
  if (files === 0) return []
  const scripts = t`(${shownNumber(files)} script${files === 1 ? '' : 's'})`
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
      t`${misfits.length} script${misfits.length === 1 ? '' : 's'} ${misfits.length === 1 ? 'does' : 'do'} not match the source map: ${named(misfits)}`,
    own.unmapped > 0 &&
      t`${shownNumber(own.unmapped)} position${own.unmapped === 1 ? '' : 's'} ${own.unmapped === 1 ? 'has' : 'have'} no source${own.lostBy === undefined ? '' : t` (${own.lostBy})`}`,
  ]
  const places = of(counts.resolved, counts.places)
  const parts = [
    ...failures,
    right.length > 0 &&
      t`${places} positions in ${right.length} of your source files resolve to the right line ${scripts}`,
    !isByFile && counts.places > 0 && t`${places} positions resolve ${scripts}`,
    !isByFile &&
      counts.places === 0 &&
      proof.textlessFiles === 0 &&
      misfits.length === 0 &&
      t`Nothing to check ${scripts} because no position can be compared`,
    uncheckedPart(unchecked, proof),
  ].filter((part) => part !== false)
  const hasFailures = failures.slice(1).some((part) => part !== false)
  return [{ severity: severityOf(counts, hasFailures, unchecked > 0), text: t`${parts.join(t`; `)}.` }]
}

interface Counts {
  places: number
  resolved: number
  /** Positions in the form `file:line:column`. */
  failed: readonly string[]
}

function countsOf(sources: readonly (readonly [name: string, source: SourceProof])[]): Counts {
  return {
    places: sources.reduce((sum, [, { places }]) => sum + places, 0),
    resolved: sources.reduce((sum, [, source]) => sum + source.resolved, 0),
    failed: sources.flatMap(([name, { failed = [] }]) => failed.map((position) => `${name}:${position}`)),
  }
}

/** Lists up to three original positions that wrong positions are mapped to. Several wrong positions may have the same original position. */
function placesPart({ places, resolved, failed }: Counts): string | false {
  const count = places - resolved
  if (count === 0 || failed.length === 0) return false
  return t`${of(count, places)} positions ${count === 1 ? 'does' : 'do'} not resolve: ${named(failed)}`
}

function uncheckedPart(unchecked: number, { files, textlessFiles }: Proof): string | false {
  if (unchecked > 0)
    return t`${shownNumber(unchecked)} source file${unchecked === 1 ? '' : 's'} not checked because the source map has no text to compare`
  if (textlessFiles === 0) return false
  return t`${of(textlessFiles, files)} scripts not checked because the source map has no text to compare`
}

function severityOf({ places, resolved }: Counts, hasFailures: boolean, isPartial: boolean): Line['severity'] {
  if (hasFailures || resolved * 100 < places * 99) return 'warning'
  return isPartial || places === 0 ? 'info' : 'good'
}

function of(part: number, whole: number): string {
  return t`${shownNumber(part)} of ${shownNumber(whole)}`
}

/** Adds thousands separators without `Intl`, because the first use of `Intl` takes 20 ms. */
function shownNumber(many: number): string {
  return String(many).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
