import { archOfAbi } from '@symup/core/resolving'
import type { RawFrame } from '../../frames.ts'
import { isUnityLine, unityFrame } from './native-line.ts'

export interface NativeRawFrame extends RawFrame {
  /** The path or name of the library or image. */
  module: string
  /**
   * The build id in lower case (from Bugly, only its last 16 bytes), or the UUID in upper case with dashes, if the stack contains an id.
   */
  id?: string
  /** The id under which Breakpad symbols are stored for the library's build id. */
  breakpadId?: string
  /** Possible names of the symbol file that differ from the name of the module, most likely first. */
  symbolFiles?: readonly string[]
  /** The link address in the file, or the offset from the start of the image for Apple images. */
  offset: number
  from: 'file' | 'image'
  /** The mangled name to which the offset is relative. */
  symbol?: string
  /** Whether the address is the return address of a call. */
  isReturn: boolean
  /** Whether the report says that the code belongs to the operating system. */
  isSystem?: boolean
  /** The architecture, such as `arm64`, which selects a library if the frame has no id. */
  arch?: string
  /** Whether the address is outside of all images in the report. */
  isOutside?: boolean
}

/** The maximum number of frames, which exceeds the limits of all runtimes. */
export const MAX_NATIVE_FRAMES = 1000
/** One frame beyond the limit is read to detect longer stacks. */
export const NATIVE_FRAMES_READ = MAX_NATIVE_FRAMES + 1
const MAX_LINE_LENGTH = 16 * 1024
const MAX_STACK_LENGTH = 8 * 1024 * 1024

const FRAME = /#(\d{1,4})\s+pc\s+(?:0x)?([0-9a-f]{1,16})\s+(\S.*)$/i
const ANDROID_ID = /\(BuildId: ([0-9a-f]+)\)$/i
const HARMONY_ID = /\(([0-9a-f]{8,128})\)$/i
/**
 * Matches `[arm64-v8a::588a3f…]`. If the stack contains the version of the library, the tag is `[arm64-v8a:4.0.4:24c1c2…]` or
 * `[arm64-v8a] [3.7.5]`.
 */
const BUGLY_TAG =
  /\s\[((?:arm|x86|mips|riscv)[\w-]{0,16})(?::[^:[\]]{0,64}(?::([0-9a-f]{8,128}))?)?\](?: \[[^[\]]{1,64}\])?$/i
/** Libraries that every Android process loads, for frames without paths. */
const ANDROID_LIBRARY =
  /^(?:linker(?:64)?|lib(?:c|m|dl|log|art|utils|binder|android_runtime|hwui|EGL|GLESv[12]\w*)\.so)$/
const LIBRARY_DIRECTORY = /\/lib\/(arm|arm64|x86|x86_64|riscv64)\/[^/]+$/

/** Returns whether the text contains native frames in the format of Android tombstones or HarmonyOS cppcrash reports. */
export function hasNativeFrames(stack: string): boolean {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  return /#\d{1,4}\s+pc\s+(?:0x)?[0-9a-f]{1,16}\s/i.test(text) || hasUnityLine(text)
}

/** Returns whether a stack contains only native frames, whose libraries can be found by build id in any release. */
export function hasOnlyNativeFrames(stack: string): boolean {
  if (!hasNativeFrames(stack)) return false
  const lines = stack.slice(0, MAX_STACK_LENGTH).split('\n')
  return !lines.some((line) => /^\s*at\s/.test(line) && !isUnityLine(line))
}

/** The check runs for every stack, so it avoids splitting the text into lines. */
function hasUnityLine(text: string): boolean {
  return text.includes('.0x') && text.split('\n').some(isUnityLine)
}

/** Returns the build ids of libraries, keyed by path. xCrash lists them below frames without ids. */
export function listedBuildIds(stack: string): ReadonlyMap<string, string> {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  const at = text.search(/^build id:\s*$/m)
  if (at === -1) return new Map()
  const listed = text.slice(at).matchAll(/^\s{1,16}(\/\S{1,4096}) \(BuildId: ([0-9a-f]{8,128})\./gim)
  return new Map([...listed].map(([, path = '', id = '']) => [path, id.toLowerCase()]))
}

/**
 * Parses a native frame, or returns undefined for other lines. Addresses are used unchanged, because the systems have already moved return
 * addresses back into the call. Supported formats:
 * - Android, also after a logcat prefix: `#00 pc 000000000001f4c0  /data/app/…/libfoo.so (fn+12) (BuildId: 1234abcd…)`
 * - HarmonyOS: `#08 pc 000000000078fab8 /system/lib64/libark.so(fn+940)(bc704f41…)`
 * - Bugly: `#00 pc 0012389c /data/app/…/libfoo.so (fn+12) [arm64-v8a::588a3f…]`
 * - Unity: see {@link unityFrame}
 */
export function parseNativeLine(line: string): NativeRawFrame | undefined {
  const unity = line.length > MAX_LINE_LENGTH ? undefined : unityFrame(line)
  if (unity) {
    const { library, pc } = unity
    const place = { module: library, offset: addressOf(pc), from: 'file' as const, isReturn: false }
    return { raw: line.trim(), address: `0x${pc.toLowerCase()}`, ...place, isSystem: ANDROID_LIBRARY.test(library) }
  }
  const match = line.length > MAX_LINE_LENGTH ? null : FRAME.exec(line)
  if (!match) return undefined
  const [raw, , pc, text] = match as unknown as [string, string, string, string]
  const trimmed = text.trimEnd()
  const tag = BUGLY_TAG.exec(trimmed)
  const place = trimmed.slice(0, tag?.index)
  const build = ANDROID_ID.exec(place) ?? HARMONY_ID.exec(place)
  const id = build?.[1] ?? tag?.[2]
  const rest = place.slice(0, build?.index)
  // `(offset 0x1000)` is where the library starts in an archive.
  const { path, symbol } = splitSymbol(rest.replace(/\(offset (?:0x)?[0-9a-f]+\)/i, '').trim())
  const arch = archOfAbi(tag?.[1] ?? '') ?? archOfDirectory(path)
  return {
    raw: raw.trim(),
    ...(symbol !== undefined && { function: symbol }),
    address: `0x${pc.replace(/^0+(?=.)/, '')}`,
    module: path,
    ...(id !== undefined && { id: id.toLowerCase() }),
    offset: addressOf(pc),
    from: 'file',
    isReturn: false,
    // In Play Console, ANR frames have no paths.
    ...(ANDROID_LIBRARY.test(path) && { isSystem: true }),
    ...(arch !== undefined && { arch }),
  }
}

function archOfDirectory(path: string): string | undefined {
  const directory = LIBRARY_DIRECTORY.exec(path)?.[1]
  return directory === 'x86_64' ? 'x64' : directory
}

/**
 * Splits `path (name(int)+12)` or `path(name+940)`. The last pair of parentheses contains the name, which may itself contain parentheses.
 */
function splitSymbol(text: string): { path: string; symbol?: string } {
  if (!text.endsWith(')')) return { path: text }
  let depth = 0
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) {
      const symbol = text.slice(at + 1, -1).replace(/ ?\+ ?(?:0x[0-9a-f]+|\d+)$/i, '')
      // The Kotlin runtime prints a number if the name is unknown.
      return { path: text.slice(0, at).trim(), ...(/\D/.test(symbol) && { symbol }) }
    }
  }
  return { path: text }
}

/** Returns the 48 address bits of a pointer. The upper bits of a pointer can contain an authentication code. */
export function addressOf(hex: string): number {
  return Number.parseInt(hex.replace(/^0x/i, '').slice(-12), 16)
}

/** Returns the last segment of a path, which is the library for `base.apk!libfoo.so`. */
export function libraryName(module: string): string {
  return module.split(/[/!]/).at(-1) as string
}
