import { existsSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, posix, resolve } from 'node:path'
import { SymupError } from '@symup/core'
import { t } from '@symup/core/text'
import { BuildSession } from '../build-session.ts'
import { tellOnce, watching } from '../bundlers/messages.ts'
import { prefixFrom } from '../bundlers/public-path.ts'
import { decideMaps, type MapDecision, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import type { BundleOutput, Target } from '../output.ts'
import { tellWithoutDebugIds } from '../plugin.ts'
import type { BuildPrefix } from '../prefix.ts'
import { serverOf } from '../server.ts'
import { logTo } from '../terminal.ts'
import { outputBelow } from './output-below.ts'

/** The options of Angular's `application` builder that symup uses. */
interface AngularOptions {
  baseHref?: string
  deployUrl?: string
  index?: string | boolean | { input?: string }
  localize?: boolean | string[]
  outputPath?: string | { base: string; browser?: string; server?: string }
  sourceMap?: boolean | { scripts?: boolean; hidden?: boolean }
  watch?: boolean
  symup?: SymupOptions
}

type Validated = Record<string, unknown>

interface BuilderContext {
  workspaceRoot: string
  target?: { project: string; configuration?: string }
  getProjectMetadata(project: string): Promise<{ root?: unknown; sourceRoot?: unknown; i18n?: unknown }>
  validateOptions(options: object, builder: string): Promise<Validated>
}

interface BuilderOutput {
  success: boolean
  error?: string
}

interface Extensions {
  indexHtmlTransformer?(html: string): Promise<string>
}

type Builder<Options> = (
  options: Options,
  context: BuilderContext,
  extensions?: Extensions,
) => AsyncIterable<BuilderOutput>

const ABSOLUTE = /^(?:\/|[a-z][a-z\d+.-]*:)/i
const BUILDER = '@angular/build:application'
const HIDDEN = 'sourceMap: { scripts: true, styles: false, hidden: true }'
/** Angular 22 and later always write debug ids. */
const WITH_DEBUG_IDS = 22

/**
 * Creates a builder that wraps Angular's `application` builder and uploads the source maps after the last file is written. In addition to
 * the options of the wrapped builder, the new builder has the option `symup`.
 * @param buildApplication the function from the workspace's own `@angular/build`.
 */
export function symupAngular(buildApplication: Builder<Validated>): Builder<AngularOptions> {
  return async function* (given, context) {
    const { symup: options = {}, ...own } = given
    const build = new BuildSession(options, 'angular')
    const { log } = build
    const isDevelopment = context.target?.configuration?.split(',').includes('development')
    if (own.watch) log(watching())
    else if (isDevelopment) tellOnce(log, t`Nothing is uploaded in the development configuration.`)
    if (own.watch || isDevelopment || options.enabled === false) {
      yield* buildApplication(await context.validateOptions(own, BUILDER), context)
      return
    }
    const maps = decideMaps(settingOf(own.sourceMap), options.deleteAfterUpload, {
      now: t`sourceMap is ${JSON.stringify(own.sourceMap)}`,
      hidden: HIDDEN,
    })
    const since = Date.now()
    try {
      build.open({ root: context.workspaceRoot, prefix: await prefixOf(own, context) }, maps.problems)
      if (options.debugIds) checkDebugIds(context.workspaceRoot, options)
      const wanted = { ...own, ...(maps.hide && { sourceMap: withHiddenMaps(own.sourceMap) }) }
      const extensions: Extensions = { indexHtmlTransformer: async (html) => build.page(html) }
      const validated = await context.validateOptions(wanted, BUILDER)
      for await (const built of buildApplication(validated, context, options.injectRelease ? extensions : {})) {
        if (built.success) await build.finish({ outputs: await outputsOf(own, context, options, maps, since) })
        yield built
      }
    } catch (error) {
      if (!(error instanceof SymupError)) throw error
      yield { success: false, error: error.message }
    }
  }
}

function settingOf(sourceMap: AngularOptions['sourceMap']): MapSetting {
  if (sourceMap === undefined) return 'unset'
  const { scripts = true, hidden = false } = typeof sourceMap === 'object' ? sourceMap : { scripts: sourceMap }
  if (!scripts) return 'none'
  return hidden ? 'hidden' : 'linked'
}

function withHiddenMaps(sourceMap: AngularOptions['sourceMap']): object {
  if (typeof sourceMap === 'object') return { ...sourceMap, hidden: true }
  return { scripts: true, styles: sourceMap === true, hidden: true }
}

/** Returns the prefix from `deployUrl`, or from the base of the page if `deployUrl` is not set. */
async function prefixOf(options: AngularOptions, context: BuilderContext): Promise<BuildPrefix | undefined> {
  const { deployUrl = '', localize } = options
  const { root, sourceRoot, i18n } = await context.getProjectMetadata(context.target?.project ?? '')
  const moved = localize ? localeWithBase(i18n) : undefined
  if (moved !== undefined) return { because: t`the locale ${moved} has its own baseHref` }
  if (ABSOLUTE.test(deployUrl)) return prefixFrom(deployUrl, t`Angular's deployUrl`)
  const isSet = options.baseHref !== undefined
  // If locales are configured, Angular takes the base URL of each page only from `baseHref`.
  const base = options.baseHref ?? (localize ? '/' : baseOf(indexOf(options, context.workspaceRoot, root, sourceRoot)))
  const from = isSet ? t`Angular's baseHref` : localize ? t`Angular's locales` : t`the base URL in Angular's index.html`
  if (deployUrl === '' || base === undefined) return prefixFrom(base, from)
  return prefixFrom(joined(base, deployUrl), t`${from} and deployUrl`)
}

function joined(base: string, ...below: string[]): string {
  const [, origin = '', path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*)$/i.exec(base) ?? []
  return origin + posix.join(path, ...below)
}

/** Returns the first locale with its own `baseHref`. The address of such a locale does not match its directory. */
function localeWithBase(i18n: unknown): string | undefined {
  const { sourceLocale, locales = {} } = (i18n ?? {}) as { sourceLocale?: unknown; locales?: Record<string, unknown> }
  const all: [string, unknown][] = [[t`of the sources`, sourceLocale], ...Object.entries(locales)]
  return all.find(([, it]) => typeof it === 'object' && it !== null && 'baseHref' in it)?.[0]
}

function indexOf({ index }: AngularOptions, workspace: string, root: unknown, sourceRoot: unknown): string | undefined {
  if (index === false) return undefined
  const named = typeof index === 'object' ? index.input : index
  if (typeof named === 'string') return resolve(workspace, named)
  const sources = typeof sourceRoot === 'string' ? sourceRoot : join(typeof root === 'string' ? root : '', 'src')
  return resolve(workspace, sources, 'index.html')
}

function baseOf(page: string | undefined): string | undefined {
  if (page === undefined || !existsSync(page)) return undefined
  return /<base\s[^>]*?\bhref\s*=\s*["']?([^"'\s>]*)/i.exec(readFileSync(page, 'utf8'))?.[1]
}

function checkDebugIds(workspace: string, options: SymupOptions): void {
  const { version } = createRequire(join(workspace, 'package.json'))('@angular/build/package.json')
  if (Number.parseInt(version, 10) < WITH_DEBUG_IDS) tellWithoutDebugIds(['Angular', version].join(' '), options)
}

async function outputsOf(
  own: AngularOptions,
  { workspaceRoot, target }: BuilderContext,
  options: SymupOptions,
  { deletes }: MapDecision,
  since: number,
): Promise<BundleOutput[]> {
  const { outputPath } = own
  const path = typeof outputPath === 'object' ? outputPath : { base: outputPath ?? join('dist', target?.project ?? '') }
  const base = resolve(workspaceRoot, path.base)
  const browsers = await browsersOf(own, join(base, path.browser ?? 'browser'), since, deletes)
  const directory = join(base, path.server ?? 'server')
  if (!existsSync(directory)) return browsers
  const server = await outputOf(directory, since, deletes, 'server')
  if (serverOf(options)) return [...browsers, server]
  tellOnce(logTo(options), t`Server output is not uploaded. To also upload server code, set server: true.`)
  // Angular has a single source map setting for browsers and servers. If the browser maps are deleted, the server maps are deleted, too.
  return deletes ? [...browsers, { ...server, files: new Set() }] : browsers
}

/**
 * If locales are configured, `deployUrl` is relative to the directory of each locale. A file's address therefore cannot be derived from its
 * path.
 */
async function browsersOf(
  { baseHref = '/', deployUrl = '', localize }: AngularOptions,
  directory: string,
  since: number,
  deletes: boolean,
): Promise<BundleOutput[]> {
  const entries = localize && deployUrl !== '' ? await readdir(directory, { withFileTypes: true }) : []
  const locales: BundleOutput[] = []
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const prefix = ABSOLUTE.test(deployUrl) ? deployUrl : joined(baseHref, name, deployUrl)
    locales.push({ ...(await outputOf(join(directory, name), since, deletes)), prefix })
  }
  return locales.some(({ files }) => files.size > 0) ? locales : [await outputOf(directory, since, deletes)]
}

/** Assets keep the modification time of the original file, so files that are older than the build belong to the user. */
async function outputOf(
  directory: string,
  since: number,
  deletes: boolean,
  target: Target = 'browser',
): Promise<BundleOutput> {
  const output = await outputBelow(directory, { deletes, target })
  for (const file of new Set([...output.files, ...output.deletable])) {
    const { mtimeMs } = await stat(join(directory, file))
    if (isWrittenSince(mtimeMs, since)) continue
    output.files.delete(file)
    output.deletable.delete(file)
  }
  return output
}

/**
 * The tolerance for modification times, in milliseconds. Some systems record modification times only with the precision of a clock tick.
 */
const TICK_MS = 20
const SECOND_MS = 1000

/**
 * Tests whether a file was written after the build began. Some file systems store only whole seconds. Times are in milliseconds since the
 * Unix epoch.
 */
function isWrittenSince(mtimeMs: number, since: number): boolean {
  const first = since - TICK_MS
  return mtimeMs >= (mtimeMs % SECOND_MS === 0 ? Math.floor(first / SECOND_MS) * SECOND_MS : first)
}
