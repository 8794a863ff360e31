import type { EnrichedFrame } from '@symup/intake/inspector'
import { type Cause as CauseOf, causesOf as causesAmong, isSettled } from '@symup/symbolicate/presentation'

export type Cause = CauseOf<EnrichedFrame>

/** Whether a frame is unresolved but should be resolved. */
export function isUnresolved(frame: EnrichedFrame): boolean {
  return !frame.converted && !isSettled(frame)
}

/** Whether a frame belongs to a library or the system. */
export function isForeign(frame: EnrichedFrame): boolean {
  return frame.third_party || (!frame.converted && isSettled(frame))
}

export function causesOf(frames: readonly EnrichedFrame[]): Cause[] {
  return causesAmong(frames, ({ converted }) => converted)
}

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
/** Commands for native frames, where they differ. */
const NATIVE_UPLOADS: Readonly<Record<string, string>> = {
  android: 'npx symup android upload-ndk app/build/intermediates/merged_native_libs/release',
}
/** Causes that another upload fixes. */
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

/** Quotes untrusted text for a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
