// Places of one run of mappings, as src/proof/own-sources.ts collects them: throws, calls, and tokens where a mapping begins.

import { isInWord, isLetter, isWhite } from './characters'
import { backticksIn, blankLiterals, isQuoteOrSlash } from './literals'
import { findSites, SITE_BYTES } from './sites'
import { CODE, TEXT as TEXT_BYTES } from './text'
import { INSIDE, KEYWORD, TEXT, tokenAt, wordAt, wordLength } from './tokens'

/** A second reading of a run's text. */
const OTHER_CODE = memory.data(65536 + 64, 16)

/** Whether code at an index, behind a mapping at another, is a bundler's or compiler's helper. */
declare function isByHelper(mapping: i32, place: i32): bool
/** Whether a helper's error is made at an index. */
declare function isHelpersError(place: i32): bool
/** Texts in a stretch. @returns how many are in the list at {@link textsAddress}: of each its index, and the bytes of its word. */
declare function textsIn(begin: i32, end: i32): u32

const TEXTS = memory.data(16 * 8, 16)

export function textsAddress(): usize {
  return TEXTS
}

/** Six numbers for each segment of a batch. */
const SEGMENT_BYTES: usize = 24
const SEGMENTS = memory.data(1024 * 24, 16)
const COLUMN: usize = 4
const ORIGINAL_LINE: usize = 12
const ORIGINAL_COLUMN: usize = 16

export function segmentsAddress(): usize {
  return SEGMENTS
}

const SPACE: u32 = 0x20
const STAR: u32 = 0x2a
const SLASH: u32 = 0x2f

/** Of each place five numbers: its segment, counted from the run's first; its index in the text; what it is; where its word begins, and its bytes. */
const PLACE_BYTES: u32 = 20
/** More than a run can have: whatever it has, of ever more only every second one is kept. */
const MAX_PLACES_OF_RUN: u32 = 2048
const PLACES = memory.data(2048 * 20, 16)
const IS_SITE: u32 = 8
const IS_SHARED: u32 = 16

export function placesAddress(): usize {
  return PLACES
}

/** What is known of the run's source, before and after it; see src/formats/javascript/kernel.ts. */
const TALLY = memory.data(6 * 4, 16)
/** Places that it has from earlier runs. */
const BEFORE: usize = 0
/** Places that all sources' share leaves each. */
const KEPT: usize = 4
/** Of so many places in a row one is kept, and so many are passed over before the next one is. */
const STRIDE: usize = 8
const SKIP: usize = 12
/** Letters of code that the run's mappings lead from. */
const LETTERS: usize = 16
/** How often every second place was dropped, of earlier runs too. */
const HALVINGS: usize = 20

export function tallyAddress(): usize {
  return TALLY
}

/** Places that are kept for each source; of more, every second one, every fourth and so on. */
const MAX_PLACES: u32 = 80
/** The same for a source of which not even every eighth would be: what is wrong may be a small part of it. */
const MAX_OF_LARGE: u32 = 160
const LARGE: u32 = 8
/** Generated characters behind a mapping from which the code may well be another's. The same as in src/proof/coverage.ts. */
const LONG: i32 = 100

/** Throws and calls of both readings of a text. In 64 KiB there are fewer. */
const SITES = memory.data(16384 * 12, 16)
const OTHER_SITES = memory.data(16384 * 12, 16)

let found: u32 = 0

/**
 * Finds the places of a run in the text at `textAddress()`, of at most 64 KiB.
 * @param first address of the run's first segment. @param start column at which the text begins, at most two before that of the segment. @param countsLetters whether they are counted.
 * @returns how many places stand in the list at `placesAddress()`; -1 for a comment.
 */
export function findPlaces(length: i32, first: usize, count: i32, start: i32, countsLetters: bool): i32 {
  const end = TEXT_BYTES + length
  if (start === 0 && isComment(length)) return -1
  const from = columnAt(first) - start
  const last = first + <usize>(count - 1) * SEGMENT_BYTES
  // A quote before the first mapping ends a text, such as that of an import.
  const before = load<u16>(TEXT_BYTES)
  for (let at = TEXT_BYTES; at < TEXT_BYTES + from; at++) if (isQuoteOrSlash(load<u8>(at))) store<u8>(at, SPACE)
  blankLiterals(TEXT_BYTES, end, CODE, false)
  const isOdd = (backticksIn(TEXT_BYTES, end) & 1) !== 0
  if (isOdd) blankLiterals(TEXT_BYTES, end, OTHER_CODE, true)
  store<u16>(TEXT_BYTES, before)
  let code = CODE
  let sites = SITES
  let siteCount = findSites(code, length, from, sites)
  if (isOdd) {
    const others = findSites(OTHER_CODE, length, from, OTHER_SITES)
    if (others > siteCount) {
      siteCount = others
      code = OTHER_CODE
      sites = OTHER_SITES
    }
  }
  store<i32>(TALLY, countsLetters ? lettersIn(code, from, min(length, columnAt(last) - start + LONG)) : 0, LETTERS)
  store<u32>(TALLY, 0, HALVINGS)
  found = 0
  const sitesEnd = sites + siteCount * SITE_BYTES
  for (let nth = 0; nth < count; nth++) {
    const segment = first + <usize>nth * SEGMENT_BYTES
    const index = columnAt(segment) - start
    if (index >= length) break
    const isLast = nth + 1 === count
    const until = isLast ? length : columnAt(segment + SEGMENT_BYTES) - start
    if (!isSkipped()) {
      const kind = tokenAt(TEXT_BYTES, end, TEXT_BYTES + index)
      if (kind !== 0) {
        const isShared = isSharedBy(segment, nth === 0, isLast)
        if (kind !== INSIDE || !isShared) keep(nth, index, isShared ? kind | IS_SHARED : kind, wordAt(), wordLength())
      }
    }
    for (; sites < sitesEnd && load<i32>(sites) < until; sites += SITE_BYTES) {
      const place = load<i32>(sites)
      if (place > index + (isLast ? 1 : LONG) && isByHelper(index, place)) continue
      const kind = load<u32>(sites, 4)
      if (kind === KEYWORD && ((isLast && place > index + 1) || isHelpersError(place))) continue
      if (!isSkipped()) keep(nth, place, kind | IS_SITE, TEXT_BYTES + place, load<u32>(sites, 8))
    }
    if (until - index > LONG) {
      const texts = textsIn(index, until)
      for (let text = TEXTS; text < TEXTS + (texts << 3); text += 8) {
        const place = load<i32>(text)
        if (!isSkipped()) keep(nth, place, TEXT | IS_SITE, TEXT_BYTES + place + 1, load<u32>(text, 4))
      }
    }
  }
  return found
}

function isSkipped(): bool {
  const skip = load<u32>(TALLY, SKIP)
  if (skip === 0) return false
  store<u32>(TALLY, skip - 1, SKIP)
  return true
}

function keep(segment: i32, index: i32, kind: u32, word: usize, bytes: u32): void {
  if (found === MAX_PLACES_OF_RUN) return
  const place = PLACES + found * PLACE_BYTES
  store<i32>(place, segment)
  store<i32>(place, index, 4)
  store<u32>(place, kind, 8)
  store<u32>(place, <u32>(word - TEXT_BYTES), 12)
  store<u32>(place, bytes, 16)
  found++
  const stride = load<u32>(TALLY, STRIDE)
  const most = min(stride < LARGE ? MAX_PLACES : MAX_OF_LARGE, load<u32>(TALLY, KEPT))
  if (load<u32>(TALLY, BEFORE) + found >= 2 * most) halve()
  store<u32>(TALLY, load<u32>(TALLY, STRIDE) - 1, SKIP)
}

/** Every second place stays. */
function halve(): void {
  const before = load<u32>(TALLY, BEFORE)
  let kept: u32 = 0
  for (let nth = before & 1; nth < found; nth += 2) {
    memory.copy(PLACES + kept * PLACE_BYTES, PLACES + nth * PLACE_BYTES, PLACE_BYTES)
    kept++
  }
  found = kept
  store<u32>(TALLY, (before + 1) >> 1, BEFORE)
  store<u32>(TALLY, load<u32>(TALLY, STRIDE) << 1, STRIDE)
  store<u32>(TALLY, load<u32>(TALLY, HALVINGS) + 1, HALVINGS)
}

function columnAt(segment: usize): i32 {
  return load<i32>(segment, COLUMN)
}

/** Whether the segment before or behind one in a run leads to the same position. */
function isSharedBy(segment: usize, isFirst: bool, isLast: bool): bool {
  return (!isFirst && isSameOriginal(segment - SEGMENT_BYTES)) || (!isLast && isSameOriginal(segment))
}

/** Whether a segment and the next lead to one position. */
function isSameOriginal(segment: usize): bool {
  return (
    load<i32>(segment, ORIGINAL_LINE) === load<i32>(segment, SEGMENT_BYTES + ORIGINAL_LINE) &&
    load<i32>(segment, ORIGINAL_COLUMN) === load<i32>(segment, SEGMENT_BYTES + ORIGINAL_COLUMN)
  )
}

/** Whether the text at `textAddress()`, of so many bytes, begins a line in the middle of a comment, or one with nothing else on it. */
export function isComment(length: i32): bool {
  const end = TEXT_BYTES + length
  let at = TEXT_BYTES
  while (at < end && isWhite(load<u8>(at))) at++
  if (at >= end) return false
  const byte = <u32>load<u8>(at)
  // A generator method has its name there.
  if (byte === STAR) return at + 1 === end || !beginsMethod(load<u8>(at + 1))
  if (byte !== SLASH || at + 1 >= end) return false
  const next = <u32>load<u8>(at + 1)
  if (next === SLASH) return true
  if (next !== STAR) return false
  for (at += 2; at < end; at++) {
    const inside = <u32>load<u8>(at)
    if (inside === 0x0a || inside === 0x0d) return true
    if (inside === STAR && at + 1 < end && load<u8>(at + 1) === SLASH) return false
  }
  return true
}

/** `[\w$[#]` */
function beginsMethod(byte: u32): bool {
  return isInWord(byte) || byte === 0x5b || byte === 0x23
}

/** Letters of names and keywords in a piece of code. */
function lettersIn(code: usize, from: i32, until: i32): i32 {
  let count = 0
  for (let at = code + from; at < code + until; at++) count += i32(isLetter(load<u8>(at)))
  return count
}
