import { archOfAbi } from '@symup/core/resolving'
import type { RawFrame } from '../../frames.ts'
import { isUnityLine, unityFrame } from './native-line.ts'

/** A frame of native code. */
export interface NativeRawFrame extends RawFrame {
  /** Path or name of the library or image. */
  module: string
  /** Build-id in lower case, its last 16 bytes (Bugly), or UUID in upper case with dashes; undefined when the stack does not say. */
  id?: string
  /** The id of the Breakpad symbols of the library with this build-id. */
  breakpadId?: string
  /** Names that the file with its symbols may have, where they are not the module's own; the likeliest first. */
  symbolFiles?: readonly string[]
  /** Address in the file as it is linked, or for Apple's images from the start of the image. */
  offset: number
  from: 'file' | 'image'
  /** The (mangled) name from whose start the offset counts. */
  symbol?: string
  /** The address is that of the instruction after the call. */
  isReturn: boolean
  /** The operating system's, as the report says. */
  isSystem?: boolean
  /** `arm64` …; which of the libraries of a name, where there is no id. */
  arch?: string
  /** The address lies in no image that the report names. */
  isOutside?: boolean
}

/** More frames than any runtime reports. */
export const MAX_NATIVE_FRAMES = 1000
/** How many are read: one more tells that there are more. */
export const NATIVE_FRAMES_READ = MAX_NATIVE_FRAMES + 1
const MAX_LINE_LENGTH = 16 * 1024
const MAX_STACK_LENGTH = 8 * 1024 * 1024

const FRAME = /#(\d{1,4})\s+pc\s+(?:0x)?([0-9a-f]{1,16})\s+(\S.*)$/i
const ANDROID_ID = /\(BuildId: ([0-9a-f]+)\)$/i
const HARMONY_ID = /\(([0-9a-f]{8,128})\)$/i
/** `[arm64-v8a::588a3f…]`, with the library's version `[arm64-v8a:4.0.4:24c1c2…]` or `[arm64-v8a] [3.7.5]`. */
const BUGLY_TAG =
  /\s\[((?:arm|x86|mips|riscv)[\w-]{0,16})(?::[^:[\]]{0,64}(?::([0-9a-f]{8,128}))?)?\](?: \[[^[\]]{1,64}\])?$/i
/** Of frames that give no paths: what every process of Android has loaded. */
const ANDROID_LIBRARY =
  /^(?:linker(?:64)?|lib(?:c|m|dl|log|art|utils|binder|android_runtime|hwui|EGL|GLESv[12]\w*)\.so)$/
/** Where Android puts an app's libraries. */
const LIBRARY_DIRECTORY = /\/lib\/(arm|arm64|x86|x86_64|riscv64)\/[^/]+$/

/** Whether a text has frames of native code as Android's tombstones and HarmonyOS's cppcrash reports write them. */
export function hasNativeFrames(stack: string): boolean {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  return /#\d{1,4}\s+pc\s+(?:0x)?[0-9a-f]{1,16}\s/i.test(text) || hasUnityLine(text)
}

/** Whether native frames are all it has: their libraries are found by build-id, whatever the release. */
export function hasOnlyNativeFrames(stack: string): boolean {
  if (!hasNativeFrames(stack)) return false
  const lines = stack.slice(0, MAX_STACK_LENGTH).split('\n')
  return !lines.some((line) => /^\s*at\s/.test(line) && !isUnityLine(line))
}

/** Stacks of every platform are asked: hardly any is cut into lines for it. */
function hasUnityLine(text: string): boolean {
  return text.includes('.0x') && text.split('\n').some(isUnityLine)
}

/** Build-ids of libraries by their path, as xCrash lists them below the frames that have none. */
export function listedBuildIds(stack: string): ReadonlyMap<string, string> {
  const text = stack.slice(0, MAX_STACK_LENGTH)
  const at = text.search(/^build id:\s*$/m)
  if (at === -1) return new Map()
  const listed = text.slice(at).matchAll(/^\s{1,16}(\/\S{1,4096}) \(BuildId: ([0-9a-f]{8,128})\./gim)
  return new Map([...listed].map(([, path = '', id = '']) => [path, id.toLowerCase()]))
}

/**
 * Reads a frame such as `#00 pc 000000000001f4c0  /data/app/…/libfoo.so (fn+12) (BuildId: 1234abcd…)` (Android, also behind logcat's
 * prefixes), `#08 pc 000000000078fab8 /system/lib64/libark.so(fn+940)(bc704f41…)` (HarmonyOS) and `#00 pc 0012389c /data/app/…/libfoo.so
 * (fn+12) [arm64-v8a::588a3f…]` (Bugly), and Unity's. The systems have already moved the addresses of callers back into the call, so they are taken as
 * they are. Undefined for every other line.
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
  // `(offset 0x1000)`: where in an archive the library starts.
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
    // Play Console's of an ANR have no paths.
    ...(ANDROID_LIBRARY.test(path) && { isSystem: true }),
    ...(arch !== undefined && { arch }),
  }
}

function archOfDirectory(path: string): string | undefined {
  const directory = LIBRARY_DIRECTORY.exec(path)?.[1]
  return directory === 'x86_64' ? 'x64' : directory
}

/** `path (name(int)+12)`, `path(name+940)`: the bracket that closes last belongs to the name, which may have some of its own. */
function splitSymbol(text: string): { path: string; symbol?: string } {
  if (!text.endsWith(')')) return { path: text }
  let depth = 0
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) {
      const symbol = text.slice(at + 1, -1).replace(/ ?\+ ?(?:0x[0-9a-f]+|\d+)$/i, '')
      // Where no name is known, Kotlin's runtime writes a number.
      return { path: text.slice(0, at).trim(), ...(/\D/.test(symbol) && { symbol }) }
    }
  }
  return { path: text }
}

/** Of a pointer with an authentication code in its upper bits, the 48 bits that are the address. */
export function addressOf(hex: string): number {
  return Number.parseInt(hex.replace(/^0x/i, '').slice(-12), 16)
}

/** The last segment of a path; of `base.apk!libfoo.so` the library. */
export function libraryName(module: string): string {
  return module.split(/[/!]/).at(-1) as string
}
