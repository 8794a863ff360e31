// Decodes `mappings` (ECMA-426, section 9.2). Bytes become digits, sixteen at a time; of a segment all numbers are made at once, and nothing branches on their lengths.

/** Those of a batch: 1024, so that their numbers stay in the fastest cache. */
const SEGMENT_BYTES: u32 = 24
const SEGMENTS = memory.data(1024 * 24 + 1025 * 4, 16)
/** Behind the segments: where runs begin. */
const RUNS: usize = SEGMENTS + 1024 * 24

/** What a batch takes of most mappings. */
const PIECE: usize = 6144
/** Of each byte its value as a digit, {@link COMMA}, {@link SEMICOLON} or {@link WRONG}; behind the last one there are sixteen of these. */
const DIGITS = memory.data(6144 + 32, 16)
const COMMA: u32 = 0x80
const SEMICOLON: u32 = 0x81
const WRONG: u32 = 0xff
/** Bits of a number in each digit; the sixth says whether it goes on. */
const BITS: i32 = 5
const LOW_BITS: i32 = 31
const CONTINUES: i32 = 32

/**
 * Of a segment of at most seven bytes: a bit for each byte with which a number ends, and one behind the last. What is found by it is whether it has four or five numbers of
 * one or two digits, and where in two bytes of its own each number belongs.
 */
const SHAPES: i32 = 256
const KINDS = memory.data(256)
const FOUR: u8 = 1
const FIVE: u8 = 3
const SHUFFLES = memory.data(4096, 16)
let areShapesKnown = false

/** Where decoding stands, its context, and the number of what is wrong; 0 for nothing. Names of the numbers are in src/formats/source-map/decode-segments.ts. */
const STATE = memory.data(21 * 4, 16)
const LINE: usize = 0
const COLUMN: usize = 4
const SOURCE: usize = 8
const ORIGINAL_LINE: usize = 12
const ORIGINAL_COLUMN: usize = 16
const NAME: usize = 20
const FIELDS: usize = 24
const VALUE: usize = 28
const SHIFT: usize = 32
const COUNT: usize = 36
const SIGNS: usize = 40
const RUN_COUNT: usize = 44
const RUN_LINE: usize = 48
const RUN_SOURCE: usize = 52
const FIRST_LINE: usize = 56
const FIRST_COLUMN: usize = 60
const FIRST_SOURCE: usize = 64
const FIRST_NAME: usize = 68
const SOURCES: usize = 72
const NAMES: usize = 76
const FLAW: usize = 80

const OUT_OF_RANGE: i32 = 1
const NO_NUMBER: i32 = 2
const AMID_NUMBER: i32 = 3
const NEGATIVE: i32 = 4
const BAD_SEGMENT: i32 = 5
const BAD_SOURCE: i32 = 6
const BAD_NAME: i32 = 7

/** Six numbers for each segment, then where runs begin. */
export function segmentsAddress(): usize {
  return SEGMENTS
}

export function stateAddress(): usize {
  return STATE
}

/**
 * Decodes bytes until they end, the batch is full or something is wrong; some that are left are for the next call.
 * @returns the address from which to go on.
 */
export function decodeSegments(from: usize, end: usize): usize {
  makeShapes()
  const length = min(end - from, PIECE)
  makeDigits(from, length)
  // In locals until the bytes end.
  let line = load<i32>(STATE, LINE)
  let column = load<i32>(STATE, COLUMN)
  let source = load<i32>(STATE, SOURCE)
  let originalLine = load<i32>(STATE, ORIGINAL_LINE)
  let originalColumn = load<i32>(STATE, ORIGINAL_COLUMN)
  let name = load<i32>(STATE, NAME)
  let fields = load<i32>(STATE, FIELDS)
  let value = load<i32>(STATE, VALUE)
  let shift = load<i32>(STATE, SHIFT)
  let at: usize = SEGMENTS + load<u32>(STATE, COUNT) * SEGMENT_BYTES
  let signs = load<i32>(STATE, SIGNS)
  let run: usize = RUNS + (load<u32>(STATE, RUN_COUNT) << 2)
  let runLine = load<i32>(STATE, RUN_LINE)
  let runSource = load<i32>(STATE, RUN_SOURCE)
  const firstSource = load<i32>(STATE, FIRST_SOURCE)
  const firstName = load<i32>(STATE, FIRST_NAME)
  const sources = load<i32>(STATE, SOURCES)
  const names = load<i32>(STATE, NAMES)
  let base = line === load<i32>(STATE, FIRST_LINE) ? load<i32>(STATE, FIRST_COLUMN) : 0
  let flaw: i32 = 0
  let index: usize = DIGITS
  const stop: usize = DIGITS + length
  while (index < stop && at < RUNS) {
    if ((fields | shift) === 0) {
      // Most of mappings. Anything else, and what is wrong, is left to what comes behind this loop.
      let place = i32x4(column, source, originalLine, originalColumn)
      let bases = i32x4(base, firstSource, 0, 0)
      let allSteps = i32x4.splat(0)
      let isRun = false
      while (at < RUNS) {
        const word = v128.load64_zero(index)
        const size = ctz(i8x16.bitmask(word))
        const behind = 1 << size
        const shape = (~i8x16.bitmask(i8x16.shl(word, 2)) & (behind - 1)) | behind
        const kind = <i32>load<u8>(KINDS + shape)
        const isNamed = kind >> 1
        const ending = <u32>load<u8>(index + size)
        const digits = v128.swizzle(word, v128.load(SHUFFLES + (shape << 4)))
        const low = v128.and(digits, i16x8.splat(0x1f))
        const numbers = v128.or(low, v128.and(i16x8.shr_u(digits, 3), i16x8.splat(0x3e0)))
        // The lowest bit is the sign.
        const sign = v128.and(numbers, i16x8.splat(1))
        const all = i16x8.add(v128.xor(i16x8.shr_u(numbers, 1), i16x8.neg(sign)), sign)
        const steps = i32x4.extend_low_i16x8_s(all)
        const next = i32x4.add(place, steps)
        const shown = i32x4.add(next, bases)
        const newName = name + i16x8.extract_lane_s(all, 4)
        const newSource = i32x4.extract_lane(next, 1)
        // One jump for all; a number that is 1 is the negative zero.
        const isOther =
          i32(kind === 0) |
          i32(ending > SEMICOLON) |
          i32x4.bitmask(v128.or(next, shown)) |
          i32((newName | line) < 0) |
          i32(newSource >= sources) |
          (isNamed & i32(newName >= names)) |
          i32(v128.any_true(i16x8.eq(numbers, i16x8.splat(1))))
        if (isOther) break
        place = next
        name = newName
        allSteps = v128.or(allSteps, steps)
        store<i32>(at, line)
        v128.store(at, shown, 4)
        store<i32>(at, (newName + firstName) | (isNamed - 1), 20)
        if (i32x4.extract_lane(steps, 1) | i32(!isRun)) {
          isRun = true
          const own = newSource + firstSource
          if (own !== runSource || line !== runLine) {
            run = addRun(run, at)
            runSource = own
            runLine = line
          }
        }
        at += SEGMENT_BYTES
        index += size + 1
        if (ending === SEMICOLON) {
          line++
          place = i32x4.replace_lane(place, 0, 0)
          base = 0
          bases = i32x4.replace_lane(bases, 0, 0)
          isRun = false
        }
      }
      column = i32x4.extract_lane(place, 0)
      source = i32x4.extract_lane(place, 1)
      originalLine = i32x4.extract_lane(place, 2)
      originalColumn = i32x4.extract_lane(place, 3)
      signs |= i32x4.extract_lane(allSteps, 0)
      if (at === RUNS || index === stop) break
    }
    const digit = <i32>load<u8>(index)
    if (digit < 64) {
      if (shift === 30 && digit > 3) {
        flaw = OUT_OF_RANGE
        break
      }
      index++
      value |= (digit & LOW_BITS) << shift
      if (digit >= CONTINUES) {
        shift += BITS
        continue
      }
      // As ECMA-426 has it, a negative zero is -2^31.
      const step = value & 1 ? i32.MIN_VALUE | (0 - (value >>> 1)) : value >>> 1
      if (fields === 0) {
        column += step
        signs |= step
      } else if (fields === 1) source += step
      else if (fields === 2) originalLine += step
      else if (fields === 3) originalColumn += step
      else name += step
      fields++
      value = 0
      shift = 0
      continue
    }
    if (digit === <i32>WRONG || shift > 0) {
      flaw = digit === <i32>WRONG ? NO_NUMBER : AMID_NUMBER
      break
    }
    if (fields > 0) {
      const shownColumn = column + base
      if ((line | shownColumn | column | source | originalLine | originalColumn | name) < 0) {
        flaw = NEGATIVE
        break
      }
      let own: i32 = -1
      let ownName: i32 = -1
      // In place of what the batch before left there.
      store<i64>(at, 0, 12)
      if (fields > 1) {
        if (fields < 4 || fields > 5) flaw = BAD_SEGMENT
        else if (source >= sources) flaw = BAD_SOURCE
        else if (fields === 5 && name >= names) flaw = BAD_NAME
        if (flaw) break
        own = source + firstSource
        store<i32>(at, originalLine, 12)
        store<i32>(at, originalColumn, 16)
        if (fields === 5) ownName = name + firstName
      }
      store<i32>(at, line)
      store<i32>(at, shownColumn, 4)
      store<i32>(at, own, 8)
      store<i32>(at, ownName, 20)
      if (own !== runSource || line !== runLine) {
        run = addRun(run, at)
        runSource = own
        runLine = line
      }
      fields = 0
      at += SEGMENT_BYTES
    }
    index++
    if (digit === <i32>SEMICOLON) {
      line++
      column = 0
      base = 0
    }
  }
  store<i32>(STATE, line, LINE)
  store<i32>(STATE, column, COLUMN)
  store<i32>(STATE, source, SOURCE)
  store<i32>(STATE, originalLine, ORIGINAL_LINE)
  store<i32>(STATE, originalColumn, ORIGINAL_COLUMN)
  store<i32>(STATE, name, NAME)
  store<i32>(STATE, fields, FIELDS)
  store<i32>(STATE, value, VALUE)
  store<i32>(STATE, shift, SHIFT)
  store<u32>(STATE, <u32>(at - SEGMENTS) / SEGMENT_BYTES, COUNT)
  store<i32>(STATE, signs, SIGNS)
  store<u32>(STATE, <u32>(run - RUNS) >> 2, RUN_COUNT)
  store<i32>(STATE, runLine, RUN_LINE)
  store<i32>(STATE, runSource, RUN_SOURCE)
  store<i32>(STATE, flaw, FLAW)
  return from + (index - DIGITS)
}

/** A run begins with the segment that goes to an address. */
function addRun(run: usize, at: usize): usize {
  store<u32>(run, <u32>(at - SEGMENTS) / SEGMENT_BYTES)
  return run + 4
}

/** Source of the tables: http://0x80.pl/notesen/2016-01-17-sse-base64-decoding.html; by the halves of a byte, what to add to it and whether it is a digit. */
function makeDigits(from: usize, length: usize): void {
  const end = from + length
  let to: usize = DIGITS
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at)
    const high = v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15))
    // The slash has an entry of its own.
    const entry = i8x16.add(high, i8x16.eq(bytes, i8x16.splat(0x2f)))
    const digits = i8x16.add(
      bytes,
      v128.swizzle(i8x16(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0), entry),
    )
    const highKind = v128.swizzle(i8x16(16, 16, 1, 2, 4, 8, 4, 8, 16, 16, 16, 16, 16, 16, 16, 16), high)
    const lowKind = v128.swizzle(
      i8x16(21, 17, 17, 17, 17, 17, 17, 17, 17, 17, 19, 26, 27, 27, 27, 26),
      v128.and(bytes, i8x16.splat(15)),
    )
    const wrong = i8x16.ne(v128.and(highKind, lowKind), i8x16.splat(0))
    const comma = v128.and(i8x16.eq(bytes, i8x16.splat(0x2c)), i8x16.splat(<i8>(WRONG ^ COMMA)))
    const semicolon = v128.and(i8x16.eq(bytes, i8x16.splat(0x3b)), i8x16.splat(<i8>(WRONG ^ SEMICOLON)))
    v128.store(to, v128.xor(v128.or(digits, wrong), v128.or(comma, semicolon)))
    to += 16
  }
  v128.store(DIGITS + length, i8x16.splat(<i8>WRONG))
}

function makeShapes(): void {
  if (areShapesKnown) return
  areShapesKnown = true
  memory.fill(SHUFFLES, 0xff, 4096)
  for (let shape = 2; shape < SHAPES; shape++) {
    const size = 31 - clz(shape)
    let field = 0
    let digit = 0
    for (let at = 0; at < size; at++) {
      if (field < 5 && digit < 2) store<u8>(SHUFFLES + (shape << 4) + (field << 1) + digit, <u8>at)
      const isEnd = ((shape >> at) & 1) === 1
      // More than two digits are marked by a field too many.
      if (!isEnd) digit++
      else {
        field += digit > 1 ? 6 : 1
        digit = 0
      }
    }
    if (digit === 0 && (field === 4 || field === 5)) store<u8>(KINDS + shape, field === 4 ? FOUR : FIVE)
  }
}
