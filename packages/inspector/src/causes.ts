import type { EnrichedFrame } from '@symup/intake/inspector'
import { type Cause as CauseOf, causesOf as causesAmong, isSettled } from '@symup/symbolicate/presentation'
import type { Keys } from './api.ts'
import { t } from './words.ts'

export type Cause = CauseOf<EnrichedFrame>

/** Frames that never resolve, such as system frames, are not counted as unresolved. */
export function isUnresolved(frame: EnrichedFrame): boolean {
  return !frame.converted && !isSettled(frame)
}

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
/** Upload commands for native frames, keyed by platform. Other frames on these platforms need a different command. */
const NATIVE_UPLOADS: Readonly<Record<string, string>> = {
  android: 'npx symup android upload-ndk app/build/intermediates/merged_native_libs/release',
}
/** Causes that users can fix by uploading files. */
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

/** Upload tools that are not bundler plugins. */
const NOT_PLUGINS: ReadonlySet<string> = new Set(['cli', 'gradle', 'android', 'hvigor', 'mini-program'])

/**
 * Returns the plugin that uploaded the release, if any. Plugins delete source maps after the upload, so no command can upload the maps
 * again.
 */
function pluginOf(sender: string | null): string | undefined {
  const [, adapter] = /^symup-(.+)$/.exec(sender ?? '') ?? []
  return adapter !== undefined && NOT_PLUGINS.has(adapter) ? undefined : adapter
}

/** The deployed app works, so its bundler config is correct. Only symup's prefix option can be wrong. */
export function prefixFix({ code, fix }: Pick<Cause, 'code' | 'fix'>, sender: string | null): string | undefined {
  const [, prefix, given = '/'] = PREFIX.exec(fix) ?? []
  if (pluginOf(sender) === undefined || prefix === undefined || code !== 'prefix-mismatch') return undefined
  const [to, from] = [prefix, given].map((path) => `\`${path.replace(/\/?$/, '/')}\``) as [string, string]
  return t('setInPlugin', { to, from })
}

const PREFIX = /path prefix (\S+) instead of (\S+?)\.?(?:\s|$)/

/**
 * Returns the command that fixes a cause. The command contains the API key only if the key is public.
 * @returns undefined if an upload would not fix the cause.
 */
export function commandFor(
  { code, fix, frames }: Pick<Cause, 'code' | 'fix' | 'frames'>,
  platform: string,
  { service, version, sender }: Release & { sender: string | null },
  keys: Keys,
): string | undefined {
  const isNative = frames.every(({ module }) => module !== undefined)
  const upload = (isNative && NATIVE_UPLOADS[platform]) || UPLOADS[platform]
  if (!upload || !BY_UPLOAD.has(code)) return undefined
  if (platform === 'browser' && pluginOf(sender) !== undefined)
    return `SYMUP_ENDPOINT=${location.origin} ${keyFor(keys)}npm run build`
  const needsRelease = platform !== 'ios'
  const [, prefix] = PREFIX.exec(fix) ?? []
  const flags = [
    ...(needsRelease ? [`--service ${quoted(service)}`, `--release-version ${quoted(version)}`] : []),
    ...(prefix ? [`--minified-path-prefix ${quoted(prefix)}`] : []),
    `--endpoint ${location.origin}`,
  ]
  return [`${keyFor(keys)}${upload}`, ...flags].join(' \\\n  ')
}

/** All users on the machine can see command-line arguments, so the key is passed in the environment. */
const keyFor = ({ api }: Keys) => (api.startsWith('$') ? '' : `SYMUP_API_KEY=${api} `)

export function explainCommand({ app }: Keys, { service, version }: Release): string {
  return `npx symup explain stack.txt --intake ${location.origin} --app-key ${app} \\\n  --service ${quoted(service)} --release-version ${quoted(version)}`
}

/** Quotes an untrusted value for the shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
