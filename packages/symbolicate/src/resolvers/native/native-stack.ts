import { archOfAbi } from '@symup/core/resolving'
import type { RawFrame } from '../../frames.ts'
import { isUnityLine, unityFrame } from './native-line.ts'

export interface NativeRawFrame extends RawFrame {
  module: string
  /**
   * The build id in lower case, or the UUID in upper case with dashes, if the stack contains an id. Bugly reports only the last 16 bytes of
   * build ids.
   */
  id?: string
  /** The Breakpad id that corresponds to the library's build id. */
  breakpadId?: string
  /** Possible names of the symbol file, most likely first, if they differ from the name of the module. */
  symbolFiles?: readonly string[]
  /** The link address in the file or, for Apple images, the offset from the start of the image. */
  offset: number
  from: 'file' | 'image'
  /** The mangled name of the symbol to which the offset is relative. */
  symbol?: string
  /** Whether the address is a return address. */
  isReturn: boolean
  /** Whether the report marks the code as part of the operating system. */
  isSystem?: boolean
  /** The architecture, such as `arm64`. Used to select the library if the frame has no id. */
  arch?: string
  /** Whether the address is outside all images in the report. */
  isOutside?: boolean
}

/** The maximum number of frames, which is higher than the limits of all runtimes. */
export const MAX_NATIVE_FRAMES = 1000
/** The number of frames to read: one more than the maximum, to detect longer stacks. */
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
/** Matches libraries that every Android process loads. Used for frames without paths. */
const ANDROID_LIBRARY =
  /^(?:linker(?:64)?|lib(?:c|m|dl|log|art|utils|binder|android_runtime|hwui|EGL|GLESv[12]\w*)\.so)$/
const LIBRARY_DIRECTORY = /\/lib\/(arm|arm64|x86|x86_64|riscv64)\/[^/]+$/

/** Returns whether the text contains native frames in the format of Android tombstones or HarmonyOS cppcrash reports. */
export function hasNativeFrames(stack: string): boolean {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  return /#\d{1,4}\s+pc\s+(?:0x)?[0-9a-f]{1,16}\s/i.test(text) || hasUnityLine(text)
}

/** Returns whether a stack contains only native frames. The libraries for such a stack can be found by build id in any release. */
export function hasOnlyNativeFrames(stack: string): boolean {
  if (!hasNativeFrames(stack)) return false
  const lines = stack.slice(0, MAX_STACK_LENGTH).split('\n')
  return !lines.some((line) => /^\s*at\s/.test(line) && !isUnityLine(line))
}

/** This function runs for every stack, so it does not split the text into lines. */
function hasUnityLine(text: string): boolean {
  return text.includes('.0x') && text.split('\n').some(isUnityLine)
}

/** Returns the build ids of libraries, keyed by path. xCrash lists build ids below frames without ids. */
export function listedBuildIds(stack: string): ReadonlyMap<string, string> {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  const at = text.search(/^build id:\s*$/m)
  if (at === -1) return new Map()
  const listed = text.slice(at).matchAll(/^\s{1,16}(\/\S{1,4096}) \(BuildId: ([0-9a-f]{8,128})\./gim)
  return new Map([...listed].map(([, path = '', id = '']) => [path, id.toLowerCase()]))
}

/**
 * Parses a native frame, or returns undefined for other lines. Addresses are not adjusted, because the operating systems have already
 * adjusted return addresses to point into the call. Supported formats:
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
  // `(offset 0x1000)` is the position of the library in an archive.
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
    // ANR frames from Play Console contain no paths, so system libraries are recognized by their names.
    ...(ANDROID_LIBRARY.test(path) && { isSystem: true }),
    ...(arch !== undefined && { arch }),
  }
}

function archOfDirectory(path: string): string | undefined {
  const directory = LIBRARY_DIRECTORY.exec(path)?.[1]
  return directory === 'x86_64' ? 'x64' : directory
}

/** Splits `path (name(int)+12)` or `path(name+940)`. The name is in the last pair of parentheses and may itself contain parentheses. */
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

/** Returns the 48 address bits of a pointer. The upper bits can contain an authentication code. */
export function addressOf(hex: string): number {
  return Number.parseInt(hex.replace(/^0x/i, '').slice(-12), 16)
}

/** Returns the last segment of a path. For `base.apk!libfoo.so`, the result is the name of the library. */
export function libraryName(module: string): string {
  return module.split(/[/!]/).at(-1) as string
}
