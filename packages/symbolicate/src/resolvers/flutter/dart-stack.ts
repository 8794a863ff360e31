import type { RawFrame } from '../../frames.ts'
import { textUpTo } from '../../read-limits.ts'

/** A stack without function names, as printed by the Dart runtime. */
export interface DartStack {
  os?: string
  arch?: string
  /** The build id in lower case. */
  buildId?: string
  frames: DartRawFrame[]
}

export interface DartRawFrame extends RawFrame {
  /** The offset from the start of the isolate's or the virtual machine's instructions. */
  offset?: number
  section: 'isolate' | 'vm'
  /** The link address from the stack, if present. */
  virtual?: number
  /** The number of the deferred component that contains the code. The app itself is unit 1. */
  unit?: number
  /** Whether the frame already has names. */
  isOriginal?: true
  /** Whether the code belongs to the Dart virtual machine or the operating system. */
  isForeign?: true
}

export const DART_LIMITS = { frames: 1000, characters: 8 * 1024 * 1024 }
const MAX_LINE = 4096

// Matches frames such as `#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7`, possibly after a log
// prefix. Apps with deferred components print `unit 2` before `virt`.
const START = '#\\d{1,4}\\s+(?:abs|pc(?=\\s+\\w+\\s+_kDart))\\s'
const FRAME = new RegExp(
  `${START}+(?:0x)?([0-9a-f]{1,16})(?:\\s+unit\\s+(\\d{1,6}))?(?:\\s+virt\\s+(?:0x)?([0-9a-f]{1,16}))?(?:\\s+(\\S.*))?$`,
  'i',
)
const NAMELESS_START = new RegExp(
  `${START}+(?:0x)?(?:[0-9a-f]{8,16}(?:\\s|$)|[0-9a-f]{1,16}\\s+(?:unit|virt|_kDart))`,
  'im',
)
/** Some clients write the whole stack on one line. */
const LINE_END = new RegExp(`\\r?\\n|(?=${START})`, 'i')
/**
 * In Dart 3.13 and later, symbol names contain `Text` instead of `Instructions`. If there is only one snapshot, `Isolate` and `Vm` are
 * omitted.
 */
const SYMBOL = /_kDart(\w{0,40}?)Snapshot(?:Instructions|Text)\+(?:0x)?([0-9a-f]{1,16})/i

// Matches a frame in a crash dump from the Dart virtual machine, such as
// `pc 0x0000006e95921a74 fp 0x0000006e9211f730 /data/app/…/libapp.so+0x22cca74`. The header of a crash dump contains
// `isolate_instructions=6e95afe080`.
const CRASH_FRAME = /\bpc 0x([0-9a-f]{1,16}) fp 0x[0-9a-f]{1,16} (?:sp 0x[0-9a-f]{1,16} )?(\S.*)$/i
const INSTRUCTIONS = /\b(isolate|vm)_instructions(?::\s+|=)(?:0x)?([0-9a-f]+)/g
/** Matches the file that contains the app's own code: `libapp.so` on Android and Linux, `App` on iOS and macOS, and `app.so` on Windows. */
const APP = /(?:^|[\\/!])(?:libapp\.so|App|app\.so)\+0x[0-9a-f]{1,16}$/
/** Matches a name such as `dart::bin::Run(int)+0x18` or `[Optimized] Cart.pay`. */
const CRASH_NAME = /^(?:\[\w+\] )?([^/\\]*?)(?:\+0x[0-9a-f]{1,16})?$/
const NAMELESS = /^(?:Unknown symbol|Cannot find code object)/

// Matches a frame from an app that was built with names, such as `#1      Cart.pay (package:shop/cart.dart:12:5)`.
const NAMED = /#\d{1,4}\s+(\S.{0,500}?) \(([^()\s][^()]{0,1000}\.dart)(?::(\d{1,9}))?(?::(\d{1,9}))?\)$/

/**
 * Returns whether the text contains unnamed Dart frames. Named Dart frames count only if there are no other frames, because a message can
 * quote named Dart frames.
 */
export function isDartStack(stack: string): boolean {
  return hasNameless(stack) || (stack.includes('.dart') && !OTHERS.test(stack) && hasNamed(stack))
}

/** Matches frames from JVMs, browsers and native code. The pattern does not match the word "at" in a message. */
const OTHERS = /(?:^|\t|\s{2})at \S|(?:^|\s)#\d{1,4}\s+pc /m

function hasNamed(stack: string): boolean {
  const lines = stack.slice(0, DART_LIMITS.characters).split('\n')
  return lines.some((line) => line.length <= MAX_LINE && NAMED.test(line.trimEnd()))
}

function hasNameless(stack: string): boolean {
  return isCrash(stack) || NAMELESS_START.test(stack.slice(0, DART_LIMITS.characters))
}

function isCrash(stack: string): boolean {
  const at = stack.slice(0, DART_LIMITS.characters).indexOf('isolate_instructions=')
  return (
    at !== -1 &&
    stack
      .slice(at, DART_LIMITS.characters)
      .split('\n')
      .some((line) => line.length <= MAX_LINE && CRASH_FRAME.test(line.trimEnd()))
  )
}

/**
 * Parses a stack from an app that was built with `--split-debug-info`. Addresses are not adjusted, because the Dart runtime has already
 * adjusted return addresses to point into the call.
 */
export function parseDartStack(stack: string): DartStack {
  const text = textUpTo(stack, DART_LIMITS.characters)
  const os = /\bos(?::\s+|=)(\w+)/.exec(text)?.[1]
  const arch = /\barch(?::\s+|=)(\w+)/.exec(text)?.[1]
  const buildId = /\bbuild_id:\s+'?([0-9a-f]+)'?/i.exec(text)?.[1]
  // A log may contain stacks from several runs with different addresses.
  const starts: Starts = { isolate: undefined, vm: undefined }
  const frames: DartRawFrame[] = []
  for (const line of text.split(LINE_END)) {
    if (frames.length > DART_LIMITS.frames) break
    if (line.length > MAX_LINE) continue
    for (const [, section, hex = ''] of line.matchAll(INSTRUCTIONS))
      starts[section as keyof Starts] = Number.parseInt(hex, 16)
    const match = FRAME.exec(line)
    const crash = match || !line.includes(' fp 0x') ? null : CRASH_FRAME.exec(line.trimEnd())
    const named = match || crash || !line.includes('.dart') ? null : NAMED.exec(line.trimEnd())
    if (match) frames.push(frameOf(match, starts))
    else if (crash) frames.push(crashFrame(crash, starts))
    else if (named) frames.push(originalFrame(named))
  }
  return {
    ...(os !== undefined && { os: os.toLowerCase() }),
    ...(arch !== undefined && { arch: arch.toLowerCase() }),
    ...(buildId !== undefined && { buildId: buildId.toLowerCase() }),
    frames,
  }
}

function originalFrame([raw, name, file, line, column]: RegExpExecArray): DartRawFrame {
  return {
    raw: raw.trim(),
    ...(name !== undefined && { function: name }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
    section: 'isolate',
    isOriginal: true,
  }
}

interface Starts {
  isolate: number | undefined
  vm: number | undefined
}

/** Unlike other Dart stacks, crash dumps contain unadjusted return addresses. */
function crashFrame([raw, absolute = '', place = '']: RegExpExecArray, starts: Starts): DartRawFrame {
  const address = Number.parseInt(absolute, 16)
  const frame = { raw: raw.trim(), address: `0x${address.toString(16)}` }
  const known = SYMBOL.exec(place)
    ? placeOf(place, address, starts)
    : APP.test(place)
      ? placeOf('', address, starts)
      : undefined
  if (known) return { ...frame, ...known, ...(known.offset !== undefined && { offset: known.offset - 1 }) }
  const [, name] = NAMELESS.test(place) ? [] : (CRASH_NAME.exec(place) ?? [])
  return { ...frame, ...(name && { function: name }), section: 'isolate', isForeign: true }
}

function frameOf(match: RegExpExecArray, starts: Starts): DartRawFrame {
  const [raw, absolute, unit, virtual, place = ''] = match as unknown as [string, string, string?, string?, string?]
  const address = Number.parseInt(absolute, 16)
  const frame = {
    raw: raw.trim(),
    address: `0x${address.toString(16)}`,
    ...(unit !== undefined && { unit: Number(unit) }),
    ...(virtual !== undefined && { virtual: Number.parseInt(virtual, 16) }),
  }
  return { ...frame, ...placeOf(place, address, starts) }
}

/** Returns a position relative to the symbol or, if there is no symbol, relative to the start of the instructions. */
function placeOf(place: string, address: number, { isolate, vm }: Starts): Pick<DartRawFrame, 'section' | 'offset'> {
  const [, section, offset = ''] = SYMBOL.exec(place) ?? []
  if (section !== undefined)
    return { section: section.toLowerCase() === 'vm' ? 'vm' : 'isolate', offset: Number.parseInt(offset, 16) }
  // The instructions of the isolate and of the virtual machine are in the same file. An address belongs to the closest preceding start.
  const isIn = (from: number | undefined, other: number | undefined) =>
    from !== undefined && address >= from && !(other !== undefined && address >= other && other > from)
  if (isIn(isolate, vm)) return { section: 'isolate', offset: address - (isolate as number) }
  if (isIn(vm, isolate)) return { section: 'vm', offset: address - (vm as number) }
  return { section: 'isolate' }
}
