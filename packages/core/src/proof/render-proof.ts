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
  const all = [...own.sources]
  const wrong = all.flatMap(([name, { wrong }]) => (wrong === undefined ? [] : [t`${name} (${wrong})`]))
  const right = all.filter(([, { wrong, places }]) => wrong === undefined && places > 0)
  const unchecked = all.filter(([, { wrong, isUnchecked }]) => wrong === undefined && isUnchecked).length
  const isByFile = right.length + wrong.length > 0
  const counts = isByFile ? countsOf(right) : { places: positions, resolved, failed: proof.failed }
  const [good, places] = [shownNumber(counts.resolved), shownNumber(counts.places)]
  const scripts = t`${shownNumber(files)} script${files === 1 ? '' : 's'}`
  const failures = [
    placesPart(counts),
    wrongPart(wrong, right.length + wrong.length + unchecked),
    misfitsPart(misfits),
    unmappedPart(own),
  ]
  const parts = [
    ...failures,
    right.length > 0 &&
      t`${good} of ${places} positions in ${right.length} of your source files resolve to the right line (${scripts})`,
    !isByFile && counts.places > 0 && t`${good} of ${places} positions resolve (${scripts})`,
    !isByFile &&
      counts.places === 0 &&
      proof.textlessFiles === 0 &&
      misfits.length === 0 &&
      t`No positions were checked because the scripts contain no position that can be compared`,
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
  return count === 1
    ? t`1 of ${shownNumber(places)} positions does not resolve: ${named(failed)}`
    : t`${shownNumber(count)} of ${shownNumber(places)} positions do not resolve: ${named(failed)}`
}

function wrongPart(wrong: readonly string[], total: number): string | false {
  if (wrong.length === 0) return false
  return wrong.length === 1
    ? t`1 of ${shownNumber(total)} source files does not resolve: ${named(wrong)}`
    : t`${shownNumber(wrong.length)} of ${shownNumber(total)} source files do not resolve: ${named(wrong)}`
}

function misfitsPart(misfits: readonly string[]): string | false {
  if (misfits.length === 0) return false
  return misfits.length === 1
    ? t`1 script does not match the source map: ${named(misfits)}`
    : t`${misfits.length} scripts do not match their source maps: ${named(misfits)}`
}

function unmappedPart({ unmapped, lostBy }: Proof['own']): string | false {
  if (unmapped === 0) return false
  const message =
    unmapped === 1
      ? t`1 position is not mapped to a source`
      : t`${shownNumber(unmapped)} positions are not mapped to a source`
  return lostBy === undefined ? message : t`${message} (${lostBy})`
}

function uncheckedPart(unchecked: number, { files, textlessFiles }: Proof): string | false {
  if (unchecked === 1) return t`1 source file was not checked because its text is missing from the source map`
  if (unchecked > 1)
    return t`${shownNumber(unchecked)} source files were not checked because their text is missing from the source maps`
  if (textlessFiles === 0) return false
  if (files === 1) return t`1 script was not checked because its source map contains no source text`
  return t`${shownNumber(textlessFiles)} of ${shownNumber(files)} scripts were not checked because their source maps contain no source text`
}

function severityOf({ places, resolved }: Counts, hasFailures: boolean, isPartial: boolean): Line['severity'] {
  if (hasFailures || resolved * 100 < places * 99) return 'warning'
  return isPartial || places === 0 ? 'info' : 'good'
}

/** Adds thousands separators without `Intl`, because the first use of `Intl` takes 20 ms. */
function shownNumber(many: number): string {
  return String(many).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
