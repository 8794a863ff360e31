import { textUpTo } from '../../read-limits.ts'
import { isJsonReport, parseJsonReport } from './apple-json-report.ts'
import { type BinaryImage, formatUuid, isSystemPath, MAX_IMAGES } from './binary-image.ts'
import { addressOf, NATIVE_FRAMES_READ, type NativeRawFrame } from './native-stack.ts'
import { isSampled, sampledLines } from './sampled-stack.ts'

const MAX_LINE_LENGTH = 4096
export const MAX_REPORT_LENGTH = 16 * 1024 * 1024

// Matches `3   Shop   0x0000000104a3c2f4 0x104a38000 + 17140` or `… Shop.total() + 20 (total.swift:3)`. The Kotlin runtime prints
// `at 3   shared 0x104a3c2f3   kfun:shop.Cart#pay(){} + 99`.
const FRAME_START = /^(?:at )?(\d{1,4})\s+(?=\S)/
const FRAME_ADDRESS = /\s(0x[0-9a-f]{1,16})(?=\s|$)/gi
// Matches `0x104a38000 - 0x104a43fff +Shop arm64  <4c4c4423…> /var/…/Shop`. On macOS, the line contains
// `… com.example.Shop (1.0) <4C4C4423-…> /…`.
const IMAGE_START = /^\s*(0x[0-9a-f]{1,16})\s+-\s+(0x[0-9a-f]{1,16}|\?\?\?)\s+\+?(?=\S)/i
const IMAGE_UUID = /\s<([0-9a-f-]{32,36})>/gi
const THREAD = /^(?:Thread \d+(?: name:.*| Crashed:.*|:.*| \(.*)|Crashed: .*)$/i
const EXCEPTION = /^(?:Last Exception Backtrace|(?:Non-)?Fatal Exception):/i
// Matches a marker for images in Crashlytics reports. Frames in such reports contain offsets from the start of the image instead of
// addresses.
const CRASHLYTICS = /^\(Missing UUID ([0-9a-f]{32})\)$/i

/** Matches a frame from lldb or Xcode, such as `* frame #0: 0x0000000104b3c0f4 Shop`Cart.pay() + 12 at Cart.swift:8:5`. */
const LLDB_FRAME = /^(?:\* )?frame #(\d{1,4}): (0x[0-9a-f]{6,16}) (?:(\S[^`]{0,255})`(.*))?$/i
const LLDB_THREAD = /^([ *]) thread #\d/
/** Matches a line from `image list` in lldb, such as `[  0] 4C4C4423-… 0x0000000104b38000 /…/Shop`. */
const LLDB_IMAGE = /^\[ *\d{1,5}\] ([0-9a-f-]{32,36}) (0x[0-9a-f]{6,16}) (\S.*)$/i
/**
 * Matches a frame that the Kotlin runtime prints without an image, such as `at kfun:shop.Cart#pay(){} (0000000000217c4b)` or `at
 * (0000000000218f00)`.
 */
const KOTLIN = /^at +(?:(\S.{0,4000}) )?\(([0-9a-f]{8,16})\)$/i

const MAX_BEFORE_FRAMES = 256 * 1024
/** Matches a log prefix before the first frame, such as `Nov 23 12:11:44 iPhone Shop[615]: `. */
const HEAD =
  /^(.{0,200}[ \t\]|>:](?<!\* ))(?=(?:0\s{2,}\S.{0,255}?\s(?=0x[0-9a-f]{6,16}\s)|(?:\* )?frame #0: 0x[0-9a-f]{6,16}\s))/im

/** Removes the log prefix from all lines. The digits in the prefix may be different on each line. */
function withoutHead(text: string): string {
  const head = HEAD.exec(text.slice(0, MAX_BEFORE_FRAMES))?.[1] ?? ''
  if (head.trim() === '') return text
  const shapeOf = (line: string) => line.slice(0, head.length).replace(/\d/g, '0').trimEnd()
  const shape = shapeOf(head)
  return text
    .split('\n')
    .map((line) => (shapeOf(line) === shape ? line.slice(head.length) : line))
    .join('\n')
}

export function isAppleReport(stack: string): boolean {
  const text = withoutHead(stack.slice(0, MAX_REPORT_LENGTH))
  return (
    isJsonReport(text) ||
    /^[ \t]{0,16}(?:at )?\d{1,4}\s+\S.*?\s0x(?:[0-9a-f]{6,16}\b|[0-9a-f]{1,5} +\(Missing UUID )/im.test(text) ||
    /First throw call stack:\r?\n\(0x/.test(text) ||
    /^[ \t*]{0,16}frame #\d{1,4}: 0x[0-9a-f]{6,16} /im.test(text) ||
    /^[ \t]{0,16}at +(?:kfun:.{1,4000} )?\([0-9a-f]{8,16}\)\s*$/im.test(text) ||
    isSampled(text)
  )
}

/**
 * Returns the frames of the last exception, if any, followed by the frames of the crashed thread. If the report has no threads, all frames
 * are returned.
 * @param given images that take precedence over the images in the report.
 */
export function parseAppleReport(stack: string, given: readonly BinaryImage[] = []): NativeRawFrame[] {
  const text = withoutHead(textUpTo(stack, MAX_REPORT_LENGTH))
  if (isJsonReport(text)) return parseJsonReport(text, given)
  const sampled = isSampled(text) ? parseSampled(text, given) : []
  // If no sampled stack is found, the text may still be a crash report.
  return sampled.length > 0 ? sampled : parseText(text, given)
}

function parseText(text: string, given: readonly BinaryImage[]): NativeRawFrame[] {
  const images = [...given]
  const sections: { isWanted: boolean; isThread: boolean; lines: string[] }[] = [
    { isWanted: false, isThread: false, lines: [] },
  ]
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE_LENGTH && !line.startsWith('(')) continue
    if (EXCEPTION.test(line)) sections.push({ isWanted: true, isThread: false, lines: [] })
    else if (LLDB_THREAD.test(line)) sections.push({ isWanted: line.startsWith('*'), isThread: true, lines: [] })
    else if (THREAD.test(line)) {
      const isWanted = /crashed/i.test(line)
      // `Thread 0 name: …` and `Thread 0 Crashed:` belong to the same thread.
      sections.push({ isWanted, isThread: true, lines: [] })
    } else {
      const image = images.length < MAX_IMAGES ? parseImage(line) : undefined
      if (image) images.push(image)
      // Crashlytics prints thread names, which apps can choose freely. A new thread is therefore recognized by its first frame.
      else if (/^0\s/.test(line) && sections.at(-1)?.lines.some((other) => FRAME_START.test(other)))
        sections.push({ isWanted: false, isThread: true, lines: [line] })
      else sections.at(-1)?.lines.push(line)
    }
  }
  const wanted = sections.some(({ isWanted }) => isWanted) ? sections.filter(({ isWanted }) => isWanted) : sections
  const frames: NativeRawFrame[] = []
  for (const { lines, isThread } of wanted)
    for (const line of lines) {
      if (frames.length >= NATIVE_FRAMES_READ) break
      frames.push(...parseFrames(line, images, !isThread && wanted !== sections))
    }
  return frames.slice(0, NATIVE_FRAMES_READ)
}

/**
 * Parses hang reports and the output of `spindump` and `sample`. If the heaviest stack is marked in the report, that stack is returned.
 * Otherwise, the whole tree is returned, with the outermost call first.
 */
function parseSampled(text: string, given: readonly BinaryImage[]): NativeRawFrame[] {
  const lines = text.split(/\r?\n/).filter((line) => line.length <= MAX_LINE_LENGTH)
  const images = [...given, ...lines.flatMap((line) => parseImage(line) ?? []).slice(0, MAX_IMAGES)]
  const shown = sampledLines(lines).slice(0, NATIVE_FRAMES_READ)
  return shown.map(({ raw, symbol, image, offset, address, isLeaf }) => {
    const frame = frameAt(raw, image, address, images, !isLeaf)
    if (symbol !== '???') return { ...frame, function: withoutOffset(symbol) }
    const uuid = /^<([0-9a-f-]{32,36})>$/i.exec(image)?.[1]
    if (!frame.isOutside || offset === undefined) return frame
    if (uuid === undefined) return withoutAddresses(frame, image, offset, images)
    const { isOutside: _, ...own } = frame
    return { ...own, id: formatUuid(uuid), offset }
  })
}

function parseImage(line: string): BinaryImage | undefined {
  const [, listedId, base, file] = (line.startsWith('[') && LLDB_IMAGE.exec(line)) || []
  if (listedId !== undefined && base !== undefined && file !== undefined) {
    const path = file.trim()
    const name = path.split('/').at(-1) as string
    return { name, uuid: listedId, loadAddress: addressOf(base), isSystem: isSystemPath(path) }
  }
  const head = IMAGE_START.exec(line)
  const id = head && firstAfter(IMAGE_UUID, line, head[0].length)
  // The last image in a report may cover the entire memory and have no UUID. Such an entry is not a real image.
  if (!head || !id || !/[1-9a-f]/i.test(id[1] as string)) return undefined
  const [, start, end] = head as unknown as [string, string, string]
  const title = line.slice(head[0].length, id.index).trimEnd()
  const uuid = id[1] as string
  const path = line.slice(id.index + id[0].length).trim()
  const arch = /\s(arm\w*|x86_64h?|i386)$/.exec(title)?.[1]
  const name = title.replace(/\s(?:arm\w*|x86_64h?|i386)$/, '').replace(/\s\([^()]*\)$/, '')
  return {
    name: path === '' ? name : (path.split('/').at(-1) as string),
    uuid,
    loadAddress: addressOf(start),
    ...(end !== '???' && { maxAddress: addressOf(end) }),
    isSystem: isSystemPath(path),
    ...(arch !== undefined && { arch }),
  }
}

function parseFrames(line: string, images: readonly BinaryImage[], allReturns: boolean): NativeRawFrame[] {
  const bare = /^\s*\(((?:0x[0-9a-f]{1,16}\s*)+)\)\s*$/i.exec(line)?.[1]
  if (bare !== undefined) {
    const addresses = bare.trim().split(/\s+/).slice(0, NATIVE_FRAMES_READ)
    return addresses.map((address, index) => frameAt(`${index} ${address}`, undefined, address, images, index > 0))
  }
  const raw = line.trim()
  const [, nth, pc, within, symbol] = (raw.includes('frame #') && LLDB_FRAME.exec(raw)) || []
  if (nth !== undefined && pc !== undefined) {
    const named = symbol?.replace(/ at (\S+:\d+(?::\d+)?)$/, ' ($1)') ?? ''
    return parseFrames(`${nth} ${within ?? '???'} ${pc} ${named}`, images, allReturns).map((it) => ({ ...it, raw }))
  }
  const [, kotlin, bareAddress] = (raw.startsWith('at ') && KOTLIN.exec(raw)) || []
  if (bareAddress !== undefined) {
    const frame = frameAt(raw, undefined, bareAddress, images, true)
    return [{ ...frame, ...(kotlin !== undefined && { function: kotlin }) }]
  }
  const head = FRAME_START.exec(raw)
  const found = head && firstAfter(FRAME_ADDRESS, raw, head[0].length)
  if (!head || !found) return []
  const index = head[1] as string
  const name = raw.slice(head[0].length, found.index).trimEnd()
  const address = found[1] as string
  const rest = raw
    .slice(found.index + found[0].length)
    .trimStart()
    .replace(/ \(_mh_execute_header \+ \d+\)$/, '')
  const frame = frameAt(raw, name, address, images, allReturns || index !== '0')
  const uuid = CRASHLYTICS.exec(rest)?.[1]
  if (uuid !== undefined) {
    const { isOutside: _, ...own } = frame
    return [{ ...own, id: formatUuid(uuid), offset: addressOf(address) }]
  }
  // In `0x104a38000 + 17140` and `Shop + 17140`, the number is the offset from the start of the image. Any other text is a symbol.
  const [, start = '', distance] = /^(\S.{0,255}?) \+ (\d{1,15})$/.exec(rest) ?? []
  const isRelative = /^0x[0-9a-f]{1,16}$/i.test(start) || (start !== '' && start === name)
  if (!isRelative && rest !== '') {
    // Frames with a source position, such as `(total.swift:3)` or `(Cart.kt:9:15)`, are already resolved.
    const isOriginal = frame.isOutside && /\([^()]+\.\w+:\d+(?::\d+)?\)$/.test(rest)
    return [{ ...frame, function: withoutOffset(rest), ...(isOriginal && { offset: Number.NaN }) }]
  }
  if (isRelative && frame.isOutside) return [withoutAddresses(frame, name, Number(distance), images)]
  return [frame]
}

function firstAfter(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset + 1
  return pattern.exec(text)
}

/** Converts `Shop.total() + 20 (total.swift:3)` to `Shop.total()`. */
function withoutOffset(symbol: string): string {
  const isPlaced = symbol.endsWith(')') ? / \+ \d+ \(/.exec(symbol) : null
  if (isPlaced) return symbol.slice(0, isPlaced.index)
  const plus = symbol.lastIndexOf(' + ')
  return plus !== -1 && /^\d+$/.test(symbol.slice(plus + 3)) ? symbol.slice(0, plus) : symbol
}

/**
 * Resolves frames in reports without image addresses. These frames contain the name of the image and the offset from the start of the
 * image.
 */
function withoutAddresses(
  frame: NativeRawFrame,
  name: string,
  offset: number,
  images: readonly BinaryImage[],
): NativeRawFrame {
  const { isOutside: _, ...rest } = frame
  if (images.length === 0) return { ...rest, offset }
  const named = images.filter((image) => image.name === name)
  if (named.length !== 1) return frame
  const [{ uuid, isSystem }] = named as [BinaryImage]
  return { ...rest, id: formatUuid(uuid), offset, isSystem }
}

function frameAt(
  raw: string,
  name: string | undefined,
  address: string,
  images: readonly BinaryImage[],
  isReturn: boolean,
): NativeRawFrame {
  const at = addressOf(address)
  const image =
    images.find(({ loadAddress, maxAddress }) => maxAddress !== undefined && at >= loadAddress && at <= maxAddress) ??
    nearestBelow(images, name, at)
  const base = { raw, address: `0x${at.toString(16)}`, from: 'image' as const, isReturn }
  if (!image) return { ...base, module: name ?? '???', offset: at, isOutside: true }
  return {
    ...base,
    module: image.name,
    id: formatUuid(image.uuid),
    offset: at - image.loadAddress,
    isSystem: image.isSystem,
    ...(image.arch !== undefined && { arch: image.arch }),
  }
}

/**
 * Returns the nearest image that starts at or before the address and has the name from the frame. Only images without an end address are
 * considered.
 */
function nearestBelow(images: readonly BinaryImage[], name: string | undefined, at: number): BinaryImage | undefined {
  let found: BinaryImage | undefined
  for (const image of images) {
    if (image.maxAddress !== undefined || image.loadAddress > at) continue
    if (name !== undefined && image.name !== name && image.name.split('/').at(-1) !== name) continue
    if (!found || image.loadAddress > found.loadAddress) found = image
  }
  return found
}
