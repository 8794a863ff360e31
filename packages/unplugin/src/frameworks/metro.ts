import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { collectReactNative, type Plan } from '@symup/core'
import { withTemporaryDirectory } from '@symup/core/internal'
import { BUNDLE_NAMES } from '@symup/core/resolving'
import { t } from '@symup/core/text'
import { logProblems, tellOnce } from '../bundlers/messages.ts'
import { prefixFrom } from '../bundlers/public-path.ts'
import { decideMaps, type MapDecision } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { outputOf } from '../output.ts'
import { openSession } from '../session.ts'
import { logTo } from '../terminal.ts'

type Serializer = (entry: string, preModules: unknown, graph: Graph, options: SerializerOptions) => Promise<unknown>

interface Graph {
  transformOptions: { platform?: string | null; customTransformOptions?: Record<string, unknown> | null }
}

/** The part of the serializer's options that symup uses. Expo sets `serializerOptions`. */
interface SerializerOptions {
  dev?: boolean
  projectRoot: string
  sourceMapUrl?: string | null
  serializerOptions?: { output?: string; includeSourceMaps?: boolean }
}

interface Artifact {
  /** The path relative to the output directory, with `/` as the separator. */
  filename: string
  type: string
  /** The code as a string, or as bytes if the bundle is Hermes bytecode. */
  source: string | Uint8Array
  metadata?: { isAsync?: boolean }
}

interface MetroConfig {
  projectRoot?: string
  serializer?: { customSerializer?: Serializer | null }
}

/** Expo's app config, from app.json or app.config.js. */
interface AppConfig {
  version?: string
  android?: { versionCode?: number }
  ios?: { buildNumber?: string }
}

type Native = 'android' | 'ios'

const nativeSteps = () =>
  t`The plugin does not upload this bundle because Hermes compiles the bundle after Metro finishes. symup.gradle and symup-xcode.sh upload the compiled bundle.`

const compiledWithMaps = () =>
  t`The plugin does not upload this bundle because Expo compiles the bundle and rewrites its source map after Metro finishes. Remove --source-maps, or upload the exported bundle with symup react-native upload.`

/** The previous upload. A single command may generate several bundles concurrently, but the uploads run one after another. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Wraps a Metro config so that `expo export` and `eas update` upload the bundle of each platform with its source map. The config object
 * itself is changed, because parts of Expo keep references to the object. Bundles that are compiled later in a native build are uploaded by
 * the native build.
 * @param given an object, a promise of an object, or a function that returns either.
 */
export function withSymup<Given>(given: Given, options: SymupOptions = {}): Given {
  if (options.enabled === false) return given
  if (typeof given === 'function')
    return ((...args: unknown[]) => withSymup((given as (...args: unknown[]) => unknown)(...args), options)) as Given
  if (given instanceof Promise) return given.then((config) => withSymup(config, options)) as Given
  const config = given as MetroConfig
  const inner = config.serializer?.customSerializer
  if (!inner) {
    // `react-native bundle` uses Metro's own serializer.
    if (process.argv.includes('bundle')) tellOnce(logTo(options), nativeSteps())
    return given
  }
  Object.assign(config.serializer as object, { customSerializer: uploading(inner, options) })
  return given
}

function uploading(inner: Serializer, options: SymupOptions): Serializer {
  return async (entry, preModules, graph, given) => {
    const { dev, serializerOptions } = given
    const { platform, customTransformOptions } = graph.transformOptions
    const custom = customTransformOptions ?? {}
    if (dev !== false) return inner(entry, preModules, graph, given)
    if (serializerOptions?.output !== 'static') {
      if (isNative(platform)) tellOnce(logTo(options), nativeSteps())
      return inner(entry, preModules, graph, given)
    }
    // Server bundles and bundles for pages inside an app have no address.
    const isForOtherTarget = (custom.environment ?? 'client') !== 'client' || custom.dom !== undefined
    if (isForOtherTarget) return inner(entry, preModules, graph, given)
    const hadMaps = serializerOptions.includeSourceMaps === true
    // The maps of an app are not part of the installed app, but the maps of a web page are deployed with the page.
    const setting = hadMaps ? (isNative(platform) ? 'hidden' : 'linked') : 'unset'
    const maps = decideMaps(setting, options.deleteAfterUpload, {
      now: t`expo export writes source maps (--source-maps)`,
      hidden: t`no --source-maps`,
    })
    const built = await inner(entry, preModules, graph, {
      ...given,
      sourceMapUrl: given.sourceMapUrl ?? 'http://localhost/index.map',
      serializerOptions: { ...serializerOptions, includeSourceMaps: true },
    })
    const artifacts = artifactsOf(built)
    if (artifacts === undefined) return built
    const root = given.projectRoot
    // In Expo SDK 57 or later, bundles with DOM components are compiled to bytecode after the serializer has run. When the serializer runs,
    // they still contain JavaScript.
    const isCompiledLater =
      isNative(platform) &&
      custom.bytecode === '1' &&
      artifacts.some(({ type, source }) => type === 'js' && typeof source === 'string')
    // A dry run keeps the maps and only reports them.
    const withMaps = !maps.deletes || options.dryRun === true
    const kept = withMaps ? artifacts : withoutMaps(artifacts, options.debugIds)
    if (isCompiledLater && !withMaps) nameInStacks(kept, platform as Native)
    if (isCompiledLater && withMaps && !options.dryRun) {
      logTo(options)({ severity: 'warning', text: compiledWithMaps() })
      return built
    }
    const deployed = kept.filter(({ type }) => type === 'js')
    const sourceMaps = artifacts.filter(({ type }) => type === 'map')
    const build = { root, platform: platform ?? 'web', deployed, sourceMaps, maps }
    const run = last.then(() => upload(build, String(custom.baseUrl ?? ''), options))
    last = run.catch(() => undefined)
    await run
    return Array.isArray(built) ? kept : { ...(built as object), artifacts: kept }
  }
}

interface Build {
  root: string
  platform: string
  deployed: readonly Artifact[]
  sourceMaps: readonly Artifact[]
  maps: MapDecision
}

async function upload(build: Build, baseUrl: string, options: SymupOptions): Promise<void> {
  const { root, platform, deployed, sourceMaps, maps } = build
  const log = logTo(options)
  const app = appConfig(root)
  const session = openSession(options, {
    bundler: 'metro',
    root,
    log,
    prefix: prefixFrom(`${baseUrl.replace(/\/+$/, '')}/`, t`Expo's baseUrl`),
    ...(app.version !== undefined && { version: { value: app.version, from: t`Expo's app config` } }),
  })
  logProblems(log, maps.problems)
  if (isNative(platform))
    return withTemporaryDirectory((directory) =>
      session.deliver(async ({ service, version, toolVersion }) => {
        const buildVersion = buildOf(app, platform)
        const plan = await collectBundles(build, directory, { service, version, toolVersion, platform, buildVersion })
        if (options.upload !== 'later') return plan
        const names = (all: readonly Artifact[]) => all.map(({ filename }) => filename)
        const files = new Set(names([...deployed, ...sourceMaps]))
        return { ...plan, outputs: [{ directory, files, deletable: new Set(names(sourceMaps)), clears: true }] }
      }),
    )
  const all = [...deployed, ...sourceMaps]
  const contents = new Map(all.map(({ filename, source }) => [filename, Buffer.from(source as string)]))
  const output = outputOf(join(root, 'dist'), contents.keys(), { contents, deletes: maps.deletes })
  await session.finish({ outputs: [output] })
}

interface Release {
  service: string
  version: string
  toolVersion: string
  platform: Native
  buildVersion: string
}

/** Plans the upload of an app's bundles. The bundles are written to files first, because artifacts are collected from files. */
async function collectBundles({ deployed, sourceMaps }: Build, directory: string, release: Release): Promise<Plan> {
  const found: Plan = { uploads: [], problems: [] }
  for (const { filename, source, metadata } of deployed) {
    const map = sourceMaps.find((it) => it.filename.replace(/\.map$/, '') === filename)
    const files = map ? [{ filename, source }, map] : [{ filename, source }]
    for (const it of files) {
      await mkdir(dirname(join(directory, it.filename)), { recursive: true })
      await writeFile(join(directory, it.filename), it.source)
    }
    const bundleName = nameOf({ filename, metadata }, release.platform)
    const plan = await collectReactNative({ ...release, bundle: filename, bundleName, cwd: directory })
    found.uploads.push(...plan.uploads)
    found.problems.push(...plan.problems)
  }
  return found
}

function nameOf({ filename, metadata }: Pick<Artifact, 'filename' | 'metadata'>, platform: Native): string {
  return metadata?.isAsync ? basename(filename) : BUNDLE_NAMES[platform]
}

/**
 * Sets the file name that stacks show for bytecode compiled without a map. Without a `sourceURL` comment, stacks would show a temporary
 * file name.
 */
function nameInStacks(artifacts: readonly Artifact[], platform: Native): void {
  for (const it of artifacts) {
    if (it.type !== 'js' || typeof it.source !== 'string') continue
    it.source = `${it.source}\n//# sourceURL=${nameOf(it, platform)}`
  }
}

function isNative(platform: unknown): platform is Native {
  return platform === 'android' || platform === 'ios'
}

/** Returns Expo's artifacts, or undefined if the bundle was built by another serializer. */
function artifactsOf(built: unknown): Artifact[] | undefined {
  const list = Array.isArray(built) ? built : (built as { artifacts?: unknown } | undefined)?.artifacts
  const isArtifact = (it: Partial<Artifact> | null) => typeof it?.filename === 'string' && it.source !== undefined
  return Array.isArray(list) && list.every(isArtifact) ? list : undefined
}

/** Returns the artifacts as Expo would write them without maps, so that files with the same name always have the same content. */
function withoutMaps(artifacts: readonly Artifact[], debugIds = false): Artifact[] {
  const comments = debugIds
    ? /\n\/\/# sourceMappingURL=\S*(?=\s*(?:\/\/# debugId=\S*\s*)?$)/
    : /(?:\n\/\/# (?:sourceMappingURL|debugId)=\S*)+\s*$/
  return artifacts
    .filter(({ type }) => type !== 'map')
    .map((it) =>
      it.type === 'js' && typeof it.source === 'string' ? { ...it, source: it.source.replace(comments, '') } : it,
    )
}

/** Reads the config with Expo's own reader, because the config may be a program. */
function appConfig(root: string): AppConfig {
  try {
    const { getConfig } = createRequire(join(root, 'package.json'))('expo/config') as {
      getConfig(root: string, options: object): { exp: AppConfig }
    }
    return getConfig(root, { skipSDKVersionRequirement: true }).exp
  } catch {
    return {}
  }
}

/** If an app has no native project, Expo's `prebuild` creates one with build number 1. */
function buildOf(app: AppConfig, platform: Native): string {
  return String((platform === 'android' ? app.android?.versionCode : app.ios?.buildNumber) ?? 1)
}
