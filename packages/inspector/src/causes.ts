import type { EnrichedFrame, FrameReason } from '@symup/intake/inspector'

/** Nothing is to be done about frames of a browser, of a runtime, of a debug build, or that the compiler made. */
const SETTLED: ReadonlySet<string> = new Set(['not-a-project-frame', 'compiler-generated', 'already-original'])

/** A frame that is not resolved and should be. */
export function isUnresolved({ converted, reason }: EnrichedFrame): boolean {
  return !converted && !(reason && SETTLED.has(reason.code))
}

/** Of a library or the system. */
export function isForeign({ converted, third_party: isThirdParty, reason }: EnrichedFrame): boolean {
  return isThirdParty || (!converted && reason !== undefined && SETTLED.has(reason.code))
}

/** Frames that have one cause and one fix. */
export interface Cause {
  code: string
  fix: string
  /** Their reasons, each once. */
  messages: string[]
  frames: EnrichedFrame[]
  /** Whether they stay unresolved; else they resolved, though not as well as they could. */
  isFailure: boolean
}

/** One entry for all frames with the same cause, failures first. */
export function causesOf(frames: readonly EnrichedFrame[]): Cause[] {
  const causes = new Map<string, Cause>()
  for (const frame of frames) {
    const { reason, converted } = frame
    if (!reason || SETTLED.has(reason.code)) continue
    const key = `${converted}\n${reason.code}\n${reason.fix}`
    const cause = causes.get(key) ?? { ...only(reason), messages: [], frames: [], isFailure: !converted }
    causes.set(key, cause)
    cause.frames.push(frame)
    if (!cause.messages.includes(reason.message)) cause.messages.push(reason.message)
  }
  return [...causes.values()].sort((a, b) => Number(b.isFailure) - Number(a.isFailure))
}

const only = ({ code, fix }: FrameReason) => ({ code, fix })

interface Release {
  service: string
  version: string
}

const UPLOADS: Readonly<Record<string, string>> = {
  browser: 'npx symup web upload dist',
  android: 'npx symup android upload-mapping app/build/outputs/mapping/release/mapping.txt',
  ios: 'npx symup ios upload build/App.xcarchive',
  harmony: 'npx symup harmony upload build',
  miniprogram: 'npx symup mini-program upload sourcemap.zip',
}
/** For frames of native code, where that is another command. */
const NATIVE_UPLOADS: Readonly<Record<string, string>> = {
  android: 'npx symup android upload-ndk app/build/intermediates/merged_native_libs/release',
}
/** Causes that another upload removes. */
const BY_UPLOAD: ReadonlySet<string> = new Set([
  'no-artifact',
  'version-mismatch',
  'service-mismatch',
  'prefix-mismatch',
  'mapping-mismatch',
  'minified-file-differs',
  'build-id-unknown',
  'build-id-mismatch',
  'map-unusable',
  'symbols-unusable',
  'no-debug-info',
])

/** What to type to remove a cause; undefined where no upload does. The key is the shell's. */
export function commandFor(
  { code, fix, frames }: Pick<Cause, 'code' | 'fix' | 'frames'>,
  platform: string,
  { service, version }: Release,
): string | undefined {
  const isNative = frames.every(({ module }) => module !== undefined)
  const upload = (isNative && NATIVE_UPLOADS[platform]) || UPLOADS[platform]
  if (!upload || !BY_UPLOAD.has(code)) return undefined
  const needsRelease = platform !== 'ios'
  const prefix = /path prefix (\S+) instead of/.exec(fix)?.[1]
  const flags = [
    ...(needsRelease ? [`--service ${quoted(service)}`, `--release-version ${quoted(version)}`] : []),
    ...(prefix ? [`--minified-path-prefix ${quoted(prefix)}`] : []),
    `--endpoint ${location.origin}`,
  ]
  return [upload, ...flags].join(' \\\n  ')
}

/** For a shell: what was pasted and uploaded is anybody's. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
