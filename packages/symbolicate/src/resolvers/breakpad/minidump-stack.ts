import { textUpTo } from '../../read-limits.ts'
import { NATIVE_FRAMES_READ, type NativeRawFrame } from '../native/native-stack.ts'

interface Module {
  /** The name of the module's symbol file, such as `shop.pdb` for `shop.exe`. */
  debugFile: string
  /** The id in Breakpad's format, or an empty string if the report does not contain an id. */
  id: string
}

const MAX_LINE = 512
export const MAX_STACK = 16 * 1024 * 1024
const MAX_MODULES = 20_000

/** minidump-stackwalk prints frames without symbols as ` 3  shop.exe + 0x1a2b`. */
const UNNAMED = /^\s*(\d{1,4})\s+(\S[^|!]*?)\s+\+\s+0x([0-9a-f]{1,16})\s*$/i
/** minidump-stackwalk prints frames with symbols as ` 0  shop.exe!pay [cart.cc : 58 + 0x3]`. */
const NAMED = /^\s*\d{1,4}\s+(\S[^|!]*)!(\S.*)$/
/**
 * The machine-readable output of minidump-stackwalk contains the thread, frame, module, function, file, line and offset:
 * `0|1|shop.exe||||0x1a2b`.
 */
const FOR_MACHINES = /^(\d{1,6})\|(\d{1,4})\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|(?:0x)?([0-9a-f]*)$/i
const MODULE = /^Module\|([^|]*)\|[^|]*\|([^|]*)\|([0-9A-F]{33,40})\|/i
const CRASHED = /^Thread \d+\b.*\(crashed\)/
/**
 * Chromium, sanitizers and glibc print frames such as `#1 0x4d2a3c (/opt/shop/shop+0xd2a3c)`,
 * `#1 0x4d2a3c in pay(int) (/opt/shop/shop+0xd2a3c)`, `/opt/shop/shop(+0xd2a3c) [0x4d2a3c]` or `shop.exe+0x1a2b`.
 */
const WITH_OFFSET =
  /^\s*(?:(?:#|\[)?(\d{1,4})[\]:]?\s+)?(?:0x[0-9a-f]{1,16}\s+(?:in (\S.{0,300}?) (?=\())?)?\(?((?:[A-Za-z]:|\/)?[^\s()|+@]*[^\s()|+@/\\])\(?\+0x([0-9a-f]{1,16})\)?(?:\s*\[0x[0-9a-f]+\]|\s+\(BuildId: ([0-9a-f]+)\))?\s*$/i
/**
 * Matches frames from sanitizers and systemd. Sanitizers print
 * `#1 0x4d2a3c in pay(int) pay.cc:3:4 (/opt/shop/shop+0xd2a3c) (BuildId: 5a98…)`. ThreadSanitizer omits the address, and prints
 * `<null> <null>` for unknown names. systemd prints `#1 0x000055d5c2f3a139 n/a (shop + 0x1139)`.
 */
const OF_SANITIZER_FRAME =
  /^#(\d{1,4})\s+(?:0x[0-9a-f]{1,16}\s+)?(?:in\s+)?(?:(\S(?:.{0,300}?\S)?)\s+)?\(([^()|]{0,300}?[^()|\s/\\])(?:\+| \+ )0x([0-9a-f]{1,16})\)(?:\s+\(BuildId: ([0-9a-f]+)\))?\s*$/i
const UNKNOWN: ReadonlySet<string> = new Set(['<null>', 'n/a'])
const SOURCE_BEHIND = /\s+(?:<null>|\S+:\d{1,9}(?::\d{1,9})?)$/
/** glibc prints frames such as `/opt/shop/libshop.so(pay+0x20) [0x7f1c]`. The offset is relative to an exported function. */
const IN_SYMBOL =
  /^\s*(?:\[?(\d{1,4})[\]:]?\s+)?((?:[A-Za-z]:|\/)?[^\s()|+@]*[^\s()|+@/\\])\(([\w.$]{1,400})\+0x([0-9a-f]{1,16})\)\s?\[0x[0-9a-f]+\]\s*$/i
/**
 * libexecinfo, which is used on BSD systems and with musl, prints `0x55d5c2f3a139 <pay+25> at /opt/shop/libshop.so`. The offset is relative
 * to an exported function.
 */
const OF_EXECINFO = /^\s*0x[0-9a-f]{1,16} <([\w.$]{1,400})\+(0x[0-9a-f]{1,16}|\d{1,15})> at (\S(?:.{0,300}?\S)?)\s*$/i
/** For a program that is not position-independent, glibc prints the link address: `./shop() [0x401136]`. */
const AT_LINK_ADDRESS = /^\s*(?:\[?(\d{1,4})[\]:]?\s+)?([^\s()|+@]*[^\s()|+@/\\])\(\)\s?\[0x([0-9a-f]{1,16})\]\s*$/i
/** Matches frames without a module, which are already resolved: `#1 0x4d2a3c in pay(int) /src/pay.cc:3:4`. */
const RESOLVED = /^#\d{1,4}\s+0x[0-9a-f]{1,16}\s+in\s+(\S(?:.{0,300}?\S)?)\s+(\S{1,300}?):\d{1,9}(?::\d{1,9})?\s*$/i
/**
 * Boost prints frames such as ` 1# pay(int) in /opt/shop/libshop.so`, ` 1# pay(int) at /src/pay.cc:3` or ` 1# 0x0000000000401136 in
 * ./shop`. Addresses with more than eight digits belong to position-independent code, so they are not relative to a file.
 */
const OF_BOOST =
  /(?:^|\s)(\d{1,4})#\s+(?:0x0{0,8}([0-9a-f]{1,8})|(?!0x[0-9a-f]{9})(\S(?:.{0,300}?\S)?))\s+(?:in|at)\s+(\S{0,300}[/\\.]\S{1,300}?)(?::\d{1,9})?\s*$/i
const AFTER_HEAD =
  /#\d{1,4}\s+(?!\s|pc\s|abs\s)|(?<=[\s|])(?:0x[0-9a-f]{1,16} <[\w.$]{1,400}\+|\/?[^\s()|+@]{1,300}\((?:[\w.$]{0,400}\+0x[0-9a-f]{1,16})?\)\s?\[0x)/i
/**
 * Matches reports from sanitizers, such as `==812==ERROR: HWAddressSanitizer: …`. UndefinedBehaviorSanitizer prints `cart.cc:3:4: runtime
 * error: …` instead.
 */
const OF_SANITIZER = /\b\w{1,24}Sanitizer: |: runtime error: /
/** The minimum number of digits in a build id. Linkers write at least 8 bytes, so shorter ids are incomplete. */
const MIN_BUILD_ID = 16

/** Returns whether the text is the output of a minidump reader, or contains frames with a module and an offset. */
export function isMinidumpStack(stack: string): boolean {
  const text = stack.slice(0, MAX_STACK)
  if (isJson(text)) return true
  // Skip the slower checks for most stacks.
  if (!/\+\s*0x|<[\w.$]{1,400}\+\d|\||\(crashed\)|\(\)\s?\[0x|#\d+\s+0x|\d#\s/i.test(text)) return false
  const lines = text.split(/\r?\n/, 2000).filter((line) => line.length <= MAX_LINE)
  const has = (pattern: RegExp) => lines.some((line) => pattern.test(line))
  if (has(MODULE) || (has(CRASHED) && (has(UNNAMED) || has(NAMED)))) return true
  const isOther = /^[ \t]*at |#\d+\s+(?:pc|abs)\s|@\w+:\/\/|^\d+\s+\S.*\s0x[0-9a-f]{6,16}\s/i
  const placed = lines.filter((line) => UNNAMED.test(line) || offsetIn(line))
  return placed.length > 0 && !lines.some((line) => isOther.test(line) && !placed.includes(line))
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{') && text.includes('"crashing_thread"') && text.includes('"module_offset"')
}

/** Returns the frames of the crashed thread, or all frames if no thread crashed. Resolved frames have no offset. */
export function parseMinidumpStack(stack: string): NativeRawFrame[] {
  const text = textUpTo(stack, MAX_STACK)
  return (isJson(text) ? framesOfJson(text) : framesOfText(text)).slice(0, NATIVE_FRAMES_READ)
}

function framesOfText(text: string): NativeRawFrame[] {
  const lines = text.split(/\r?\n/).filter((line) => line.length <= MAX_LINE)
  const modules = new Map<string, Module>()
  for (const line of lines) {
    const [, name, debugFile = '', id = ''] = MODULE.exec(line) ?? []
    if (name !== undefined && modules.size < MAX_MODULES) modules.set(name, { debugFile, id: id.toUpperCase() })
  }
  const wanted = crashedThread(lines)
  const isOfSanitizer = OF_SANITIZER.test(text)
  let thread: string | undefined
  return lines.flatMap((line) => {
    const [, own, , module = '', name, , , offset = ''] = FOR_MACHINES.exec(line) ?? []
    if (own !== undefined) {
      thread ??= wanted ?? own
      if (own !== thread || module === '') return []
      return [frameOf(line, { module, offset: name === '' ? offset : undefined, name })]
    }
    if (wanted !== undefined && /^Thread \d+/.test(line)) thread = CRASHED.test(line) ? wanted : ''
    if (thread === '') return []
    const [, , unnamed, inModule] = UNNAMED.exec(line) ?? []
    // Minidump readers have already adjusted return addresses to point into the call.
    if (unnamed !== undefined) return [frameOf(line, { module: unnamed, offset: inModule })]
    const found = offsetIn(line)
    if (found) {
      const { text, index = 1, name, ...place } = found
      // Unlike systemd, sanitizers adjust return addresses to point into the call. A second adjustment would be wrong on ARM, where
      // sanitizers subtract a whole instruction.
      const isMoved = isOfSanitizer || name !== undefined
      const isReturn = Number(index) > 0 && (!isMoved || text.includes(' + 0x'))
      return [frameOf(text, { ...place, name, isReturn })]
    }
    const [, named, rest] = NAMED.exec(line) ?? []
    return named === undefined
      ? []
      : [frameOf(line, { module: named, name: rest?.replace(/\s+(?:\[.*|\+ 0x.*)$/, '') })]
  })

  function frameOf(raw: string, parsed: ParsedFrame): NativeRawFrame {
    return nativeFrame(raw.trim(), parsed, modules.get(parsed.module))
  }
}

function offsetIn(line: string): (ParsedFrame & { text: string; index: string | undefined }) | undefined {
  const head = AFTER_HEAD.exec(line)
  for (const text of head && head.index > 0 ? [line, line.slice(head.index)] : [line]) {
    const [, nth, own, symbol, within] = IN_SYMBOL.exec(text) ?? []
    if (own !== undefined) return { text, index: nth, module: own, symbol, offset: within }
    const [, exported, distance, binary] = OF_EXECINFO.exec(text) ?? []
    if (exported !== undefined && binary !== undefined)
      return { text, index: undefined, module: binary, symbol: exported, offset: Number(distance).toString(16) }
    const [, nthFixed, program, address] = AT_LINK_ADDRESS.exec(text) ?? []
    if (program !== undefined) return { text, index: nthFixed, module: program, offset: address }
    const [, known, file] = RESOLVED.exec(text.trim()) ?? []
    if (file !== undefined) return { text, index: undefined, module: file, name: known }
    const [, nthOfBoost, link, plain, where] = OF_BOOST.exec(text) ?? []
    if (where !== undefined) return { text: text.trim(), index: nthOfBoost, module: where, offset: link, name: plain }
    const [, index, inside, module, offset, buildId] =
      OF_SANITIZER_FRAME.exec(text.trim()) ?? WITH_OFFSET.exec(text) ?? []
    if (module === undefined) continue
    const name = inside?.replace(SOURCE_BEHIND, '')
    return { text, index, module, offset, buildId, name: UNKNOWN.has(name ?? '') ? undefined : name }
  }
  return undefined
}

interface ParsedFrame {
  module: string
  /** The hexadecimal offset. Absent if the frame already has a name. */
  offset?: string | undefined
  /** The exported function to which the offset is relative. */
  symbol?: string | undefined
  name?: string | undefined
  /**
   * Whether the address is a return address.
   * @default false
   */
  isReturn?: boolean
  buildId?: string | undefined
}

function crashedThread(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const [, thread] = /^Crash\|[^|]*\|[^|]*\|(\d+)\s*$/.exec(line) ?? /^Thread (\d+)\b.*\(crashed\)/.exec(line) ?? []
    if (thread !== undefined) return thread
  }
  return undefined
}

interface JsonFrame {
  frame?: unknown
  module?: unknown
  module_offset?: unknown
  function?: unknown
}

/** Parses the `--json` output of rust-minidump. The addresses in this output already point into the calls. */
function framesOfJson(text: string): NativeRawFrame[] {
  let report: { crashing_thread?: { frames?: JsonFrame[] }; modules?: Record<string, unknown>[] }
  try {
    report = JSON.parse(text)
  } catch {
    return []
  }
  const modules = new Map<string, Module>()
  for (const it of Array.isArray(report.modules) ? report.modules.slice(0, MAX_MODULES) : [])
    modules.set(String(it?.filename), {
      debugFile: String(it?.debug_file ?? ''),
      id: String(it?.debug_id ?? '').toUpperCase(),
    })
  const frames = report.crashing_thread?.frames
  return (Array.isArray(frames) ? frames : []).flatMap((frame, index) => {
    if (typeof frame?.module !== 'string' || typeof frame.module_offset !== 'string') return []
    const name = typeof frame.function === 'string' ? frame.function : undefined
    const offset = frame.module_offset.replace(/^0x/i, '')
    const raw = `${index}  ${frame.module} + 0x${offset}`
    const { module } = frame
    return [nativeFrame(raw, { module, offset: name === undefined ? offset : undefined, name }, modules.get(module))]
  })
}

function nativeFrame(
  raw: string,
  { module, offset, symbol, name, isReturn = false, buildId = '' }: ParsedFrame,
  known: Module | undefined,
): NativeRawFrame {
  const file = module.split(/[\\/]/).at(-1) as string
  const symbols = known?.debugFile.split(/[\\/]/).at(-1) ?? ''
  const ownId = buildId.length < MIN_BUILD_ID ? undefined : buildId.toLowerCase()
  const id = known?.id || ownId
  const stem = file.replace(/\.(?:exe|dll|node)$/i, '')
  return {
    raw,
    ...(name !== undefined && name !== '' && { function: name }),
    module,
    ...(offset !== undefined && { address: `${symbol === undefined ? '' : `${symbol}+`}0x${offset}` }),
    ...(symbol !== undefined && { symbol }),
    ...(id !== undefined && { id }),
    ...(ownId !== undefined && { breakpadId: breakpadIdOf(ownId) }),
    symbolFiles: [...new Set([symbols, file, `${stem}.pdb`, `${file}.pdb`, stem].filter((it) => it !== ''))],
    offset: offset === undefined ? Number.NaN : Number.parseInt(offset.slice(-12), 16),
    from: 'file',
    isReturn,
  }
}

/** Converts a build id to the id that dump_syms uses: the first 16 bytes as a GUID, followed by an age of 0. */
function breakpadIdOf(buildId: string): string {
  const hex = buildId.slice(0, 32).padEnd(32, '0').toUpperCase()
  return hex.replace(/^(..)(..)(..)(..)(..)(..)(..)(..)(.*)$/, '$4$3$2$1$6$5$8$7$90')
}
