import type { EnrichedFrame } from '@symup/intake/inspector'
import { type Cause as CauseOf, causesOf as causesAmong, isSettled } from '@symup/symbolicate/presentation'
import type { Keys } from './api.ts'
import { t } from './words.ts'

export type Cause = CauseOf<EnrichedFrame>

/** Some frames, such as those from the system, cannot be resolved and are not counted. */
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
/** Upload commands for native frames, on platforms where they differ from the commands for other frames. */
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

/** Setting of a bundler or framework for the path that the app is deployed to. */
interface Base {
  at: readonly string[]
  file: string
  /** Set for frameworks that reject a trailing slash. */
  withoutSlash?: true
}

const BASES: Readonly<Record<string, Base>> = {
  vite: { at: ['base'], file: 'vite.config' },
  webpack: { at: ['output', 'publicPath'], file: 'webpack.config' },
  rspack: { at: ['output', 'publicPath'], file: 'rspack.config' },
  rsbuild: { at: ['output', 'assetPrefix'], file: 'rsbuild.config' },
  farm: { at: ['compilation', 'output', 'publicPath'], file: 'farm.config' },
  next: { at: ['basePath'], file: 'next.config', withoutSlash: true },
  nuxt: { at: ['app', 'baseURL'], file: 'nuxt.config' },
  angular: { at: ['baseHref'], file: 'angular.json' },
}
/** Frameworks that set Vite's base themselves, recognized by the directory of their scripts. */
const ON_VITE: readonly (readonly [scripts: string, base: Base])[] = [
  ['/_app/immutable/', { at: ['kit', 'paths', 'base'], file: 'svelte.config', withoutSlash: true }],
  ['/_astro/', { at: ['base'], file: 'astro.config' }],
]
/** Tools that upload scripts but are not plugins. */
const NOT_PLUGINS: ReadonlySet<string> = new Set(['cli', 'gradle', 'android', 'hvigor', 'mini-program'])

/**
 * Plugins delete their maps after the upload, so no command can send them again.
 * @returns undefined if no plugin sent the release.
 */
function pluginOf(sender: string | null): string | undefined {
  const [, adapter] = /^symup-(.+)$/.exec(sender ?? '') ?? []
  return adapter !== undefined && NOT_PLUGINS.has(adapter) ? undefined : adapter
}

export function prefixFix({ code, fix, frames }: Cause, sender: string | null): string | undefined {
  const plugin = pluginOf(sender)
  const [, prefix, given = '/'] = PREFIX.exec(fix) ?? []
  if (plugin === undefined || prefix === undefined || code !== 'prefix-mismatch') return undefined
  const [to, from] = [prefix, given].map((path) => `\`${path.replace(/\/?$/, '/')}\``) as [string, string]
  const onVite = ON_VITE.find(([scripts]) => plugin === 'vite' && frames.some(({ file }) => file?.includes(scripts)))
  const base = onVite?.[1] ?? BASES[plugin]
  // An installed app has no base path.
  if (!base || !prefix.startsWith('/')) return t('setInPlugin', { to, from })
  return t('setInConfig', { setting: `\`${settingOf(base, prefix)}\``, file: `\`${base.file}\``, to, from })
}

/** Writes a setting as it appears in a config, such as `output: { publicPath: '/shop/' }`. */
function settingOf({ at, file, withoutSlash }: Base, prefix: string): string {
  const path = withoutSlash ? prefix.replace(/\/$/, '') : prefix.replace(/\/?$/, '/')
  if (file.endsWith('.json')) return `"${at.at(-1)}": "${path}"`
  const [last, ...outer] = at.toReversed()
  return outer.reduce((inner, name) => `${name}: { ${inner} }`, `${last}: '${path}'`)
}

const PREFIX = /path prefix (\S+) instead of (\S+?)\.?(?:\s|$)/

/**
 * The shell fills in the key.
 * @returns undefined if no upload fixes the cause.
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

/** Every user of the machine can see keys on the command line, so the key is set in the environment. */
const keyFor = ({ api }: Keys) => (api.startsWith('$') ? '' : `SYMUP_API_KEY=${api} `)

export function explainCommand({ app }: Keys, { service, version }: Release): string {
  return `npx symup explain stack.txt --intake ${location.origin} --app-key ${app} \\\n  --service ${quoted(service)} --release-version ${quoted(version)}`
}

/** The text is untrusted, so it must be quoted for the shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
