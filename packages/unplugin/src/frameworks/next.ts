import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { problem, shownPath } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import type { Compiler, WebpackPluginInstance } from 'webpack'
import { BuildSession } from '../build-session.ts'
import { logProblems, tellOnce } from '../bundlers/messages.ts'
import { prefixFrom } from '../bundlers/public-path.ts'
import { applyToCompiler } from '../bundlers/webpack.ts'
import { NEXT_DEPLOYED, NEXT_LABELS } from '../bundlers/webpack-config.ts'
import { injectDebugIds } from '../debug-id/webpack.ts'
import { decideMaps, type MapDecision } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { tellWithoutDebugIds } from '../plugin.ts'
import { serverOf } from '../server.ts'
import { logTo } from '../terminal.ts'
import { outputBelow } from './output-below.ts'

/**
 * Removes the server's source maps from the directory that `output: 'standalone'` creates. Must run when the process exits, because Next.js
 * calls no hook after copying the files. The directory mirrors the traced root, which is a parent of `distDir`.
 * @param distDir an absolute path, `.next` by default.
 */
export function removeStandaloneMaps(distDir: string): void {
  for (let root = dirname(distDir); ; root = dirname(root)) {
    const copy = join(distDir, 'standalone', relative(root, distDir), 'server')
    if (existsSync(copy)) {
      for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.map')) rmSync(join(copy, file), { force: true })
    }
    if (root === dirname(root)) return
  }
}

interface Compiled {
  /** The absolute path of the project. */
  projectDir: string
  /** The absolute path of the build output, `.next` by default. */
  distDir: string
}

interface WebpackContext {
  dev: boolean
  isServer: boolean
}

interface WebpackConfig {
  devtool?: unknown
  plugins?: unknown[]
}

export interface NextConfig {
  productionBrowserSourceMaps?: boolean
  /** Must be a string. The type includes functions so that symup can report the error before Next.js does. */
  assetPrefix?: string | (() => unknown)
  basePath?: string
  webpack?: ((config: WebpackConfig, context: WebpackContext) => WebpackConfig) | null
  turbopack?: object
  compiler?: { runAfterProductionCompile?: (compiled: Compiled) => Promise<void> }
  experimental?: { webpackBuildWorker?: boolean; serverSourceMaps?: boolean }
  distDir?: string
  output?: string
  /** Globs relative to the project, keyed by route glob. */
  outputFileTracingExcludes?: Record<string, string[]>
}

const BUILD = 'phase-production-build'
/** The first version that calls `compiler.runAfterProductionCompile`. */
const WITH_HOOK = [15, 4] as const
/** The first version in which Turbopack writes debug ids. */
const WITH_DEBUG_IDS = [16, 0] as const

/**
 * Wraps a Next.js config so that `next build` uploads source maps, both with webpack and with Turbopack.
 * @param given an object or a function, which may be asynchronous. The result has the same type, so it can be combined with other wrappers.
 * @throws SymupError before the build if the options are unusable.
 */
export function withSymup<Given>(given: Given, options: SymupOptions = {}): Given {
  if (options.enabled === false) return given
  useLocale()
  if (typeof given !== 'function') return configured(given as NextConfig, options) as Given
  const wrapped = (phase: string, ...more: unknown[]) => {
    const config = given(phase, ...more)
    if (isPromise(config)) return config.then((it) => configured(it as NextConfig, options, phase))
    return configured(config, options, phase)
  }
  return wrapped as Given
}

/** @param phase the current Next.js phase. Next.js passes the phase only to config functions. */
function configured(config: NextConfig, options: SymupOptions, phase?: string): NextConfig {
  if (phase === undefined ? process.env.NODE_ENV === 'development' : phase !== BUILD) return config
  const project = projectOf(process.argv)
  const version = versionOf(project)
  const isTurbopack = Boolean(process.env.TURBOPACK)
  const maps = decideMaps(
    config.productionBrowserSourceMaps ? 'linked' : 'unset',
    options.deleteAfterUpload,
    NEXT_LABELS,
  )
  const place = (config.assetPrefix || config.basePath) ?? ''
  const prefix = prefixFrom(typeof place === 'string' ? `${place}/_next/` : place, placeOf(config))
  const open = (root: string) => buildFor(root, options, prefix, maps)
  if (!isFrom(version, WITH_HOOK))
    return isTurbopack ? withoutHook(config, options, version) : withPlugin(config, options)
  if (isBuildItself()) open(project)

  const { compiler, experimental } = config
  const isStandalone = config.output === 'standalone' && !experimental?.serverSourceMaps
  const hooked: NextConfig = {
    ...config,
    ...(serverOf(options) && isStandalone && withoutServerMaps(config)),
    compiler: {
      ...compiler,
      async runAfterProductionCompile(compiled) {
        // Run the user's own hook first, because it may still rewrite the compiled files.
        await compiler?.runAfterProductionCompile?.(compiled)
        await uploadBuild(compiled, options, maps, open(compiled.projectDir))
        if (isStandalone && !options.dryRun) process.once('exit', () => removeStandaloneMaps(compiled.distDir))
      },
    },
  }
  if (isTurbopack) {
    const debugIds = options.debugIds && canDebugIds(version, options)
    return {
      ...hooked,
      ...(maps.hide && { productionBrowserSourceMaps: true }),
      ...(debugIds && { turbopack: { ...config.turbopack, debugIds: true } }),
    }
  }
  return {
    ...hooked,
    webpack: (own, context) => withMaps(config.webpack?.(own, context) ?? own, context, options, maps),
    // Next.js compiles in separate processes only if a config has no `webpack` function. Large apps need the separate processes to limit
    // memory use.
    experimental: {
      ...(!config.webpack && { webpackBuildWorker: true }),
      ...(serverOf(options) && { serverSourceMaps: true }),
      ...experimental,
    },
  }
}

/** The server's maps are uploaded, so they are excluded from the traced files that Next.js copies. */
function withoutServerMaps({ distDir = '.next', outputFileTracingExcludes: own }: NextConfig) {
  return { outputFileTracingExcludes: { ...own, '*': [...(own?.['*'] ?? []), `${distDir}/server/**/*.map`] } }
}

function withMaps(
  config: WebpackConfig,
  { dev, isServer }: WebpackContext,
  { debugIds }: SymupOptions,
  { hide }: MapDecision,
): WebpackConfig {
  if (dev || isServer) return config
  if (hide) config.devtool = 'hidden-source-map'
  if (debugIds) {
    const apply = (compiler: unknown) => injectDebugIds(compiler as Compiler)
    config.plugins = [...(config.plugins ?? []), { apply } satisfies WebpackPluginInstance]
  }
  return config
}

/**
 * Adds the webpack plugin for Next.js versions without the `runAfterProductionCompile` hook. webpack notifies the plugin when the build
 * ends.
 */
function withPlugin(config: NextConfig, options: SymupOptions): NextConfig {
  return {
    ...config,
    webpack(own, context) {
      const inner = config.webpack?.(own, context) ?? own
      if (context.dev) return inner
      const apply = (compiler: unknown) => applyToCompiler(compiler as Compiler, options, 'webpack')
      return { ...inner, plugins: [...(inner.plugins ?? []), { apply }] }
    },
  }
}

function withoutHook(config: NextConfig, options: SymupOptions, [major, minor]: Version): NextConfig {
  const found = problem(
    'bundler-too-old',
    t`Next.js ${major}.${minor} does not support uploads from Turbopack builds, so nothing is uploaded.`,
    {
      severity: 'warning',
      fix: t`Update Next.js to 15.4 or later, or build without --turbopack.`,
    },
  )
  if (isBuildItself()) logProblems(logTo(options), [found])
  return config
}

async function uploadBuild(
  { projectDir, distDir }: Compiled,
  options: SymupOptions,
  maps: MapDecision,
  build: BuildSession,
): Promise<void> {
  const manifests = ['server/subresource-integrity-manifest.json', 'server/subresource-integrity-manifest.js']
  const browsers = await outputBelow(distDir, { deployed: NEXT_DEPLOYED, deletes: maps.deletes })
  const outputs = [{ ...browsers, hashedIn: manifests.map((file) => join(distDir, file)) }]
  const server = shownPath(join(distDir, 'server'), projectDir)
  if (serverOf(options)) {
    const deletes = options.deleteAfterUpload === true
    outputs.push({ ...(await outputBelow(distDir, { deployed: 'server', deletes, target: 'server' })), hashedIn: [] })
  } else
    tellOnce(
      logTo(options),
      t`${server} runs on a server and is not uploaded. To also upload server code, set server: true.`,
    )
  await build.finish({ outputs })
}

const builds = new Map<string, BuildSession>()

/** Returns the build of a project. Next.js may load a config several times, but a project has only one build. */
function buildFor(
  root: string,
  options: SymupOptions,
  prefix: ReturnType<typeof prefixFrom>,
  maps: MapDecision,
): BuildSession {
  const known = builds.get(root)
  if (known) return known
  const build = new BuildSession(options, 'next')
  build.open({ root, prefix }, maps.problems)
  builds.set(root, build)
  return build
}

function placeOf({ assetPrefix, basePath }: NextConfig): string {
  return assetPrefix ? t`Next's assetPrefix` : basePath ? t`Next's basePath` : t`Next's default`
}

/** Tests whether the current process is the main process of `next build`, because many worker processes also load the config. */
function isBuildItself(): boolean {
  const { IS_NEXT_WORKER, NEXT_PRIVATE_BUILD_WORKER } = process.env
  return process.argv.slice(2).includes('build') && !IS_NEXT_WORKER && !NEXT_PRIVATE_BUILD_WORKER
}

/**
 * `next build apps/shop` builds the project in that directory. Without an argument, `next build` builds the project in the working
 * directory.
 */
function projectOf(argv: readonly string[]): string {
  const directory = argv[argv.indexOf('build', 2) + 1]
  return argv.indexOf('build', 2) === -1 || directory === undefined || directory.startsWith('-')
    ? process.cwd()
    : resolve(directory)
}

type Version = readonly [major: number, minor: number]

/** Returns the version of Next.js that is running. If the version cannot be determined, the newest version is assumed. */
function versionOf(project: string): Version {
  for (const place of [join(project, 'package.json'), process.argv[1]]) {
    try {
      const { version } = createRequire(place as string)('next/package.json') as { version: string }
      const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
      return [major, minor]
    } catch {
      // Next.js is installed in another directory.
    }
  }
  return [Number.POSITIVE_INFINITY, 0]
}

function isFrom([major, minor]: Version, [firstMajor, firstMinor]: Version): boolean {
  return major > firstMajor || (major === firstMajor && minor >= firstMinor)
}

function canDebugIds(version: Version, options: SymupOptions): boolean {
  const can = isFrom(version, WITH_DEBUG_IDS)
  if (!can && isBuildItself()) tellWithoutDebugIds(['Next.js', version.join('.'), '(Turbopack)'].join(' '), options)
  return can
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
