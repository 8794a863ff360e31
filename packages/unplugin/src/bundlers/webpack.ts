import type { Line } from '@symup/core'
import type { SymupOptions } from '../options.ts'
import { type BuildOutput, openSession, type Session } from '../session.ts'
import { enterGroup, settle } from './compiler-group.ts'
import { prefixFrom, sourcemapsOff, WATCHING } from './messages.ts'

interface Asset {
  name: string
  info: { related?: { sourceMap?: unknown } | null }
}

interface Hook<Arguments extends unknown[]> {
  tap(name: string, handler: (...args: Arguments) => void): void
  tapPromise(options: string | { name: string; stage: number }, handler: (...args: Arguments) => Promise<void>): void
}

/** The part of a compiler that webpack 5 and Rspack share and that is used here. */
export interface Compiler {
  context: string
  outputPath: string
  options: {
    mode?: string
    devtool?: unknown
    plugins: unknown[]
    output: { publicPath?: unknown }
  }
  hooks: {
    run: Hook<[unknown]>
    watchRun: Hook<[unknown]>
    done: Hook<[Stats]>
  }
  getInfrastructureLogger(name: string): Record<'info' | 'warn' | 'error', (text: string) => void>
}

interface Stats {
  hasErrors(): boolean
  compilation: { getAssets(): readonly Asset[] }
}

/** After every other plugin's `done`: they may still rewrite files. */
const LAST = 1_000_000

/**
 * The hooks for webpack and Rspack. `run` is called for a build and `watchRun` for watching, the dev server included; so whether
 * to upload is the compiler's own answer.
 */
export function applyToCompiler(compiler: Compiler, options: SymupOptions, bundler: 'webpack' | 'rspack'): void {
  const log = logThrough(compiler)
  const isRelease = compiler.options.mode !== 'development'
  let session: Session | undefined
  let saidWatching = false

  if (isRelease) makeHiddenMaps(compiler, log)
  enterGroup(compiler)

  compiler.hooks.run.tapPromise('symup', async () => {
    session = undefined
    if (!isRelease) {
      log({ severity: 'info', text: 'The mode is development: nothing is uploaded.' })
      return
    }
    const prefix = prefixFrom(compiler.options.output.publicPath, 'output.publicPath')
    session = openSession(options, { bundler, root: compiler.context, log, prefix })
    const { devtool } = compiler.options
    if (session && typeof devtool === 'string' && devtool.includes('eval')) {
      const off = sourcemapsOff(`devtool '${devtool}' writes no source maps`, "Use 'hidden-source-map' for releases.")
      off.forEach(log)
    }
  })

  compiler.hooks.watchRun.tap('symup', () => {
    session = undefined
    if (!saidWatching) log(WATCHING)
    saidWatching = true
  })

  compiler.hooks.done.tapPromise({ name: 'symup', stage: LAST }, async (stats) => {
    const opened = session
    if (stats.hasErrors()) return settle(compiler, 'failed')
    if (opened === undefined) return settle(compiler, 'nothing')
    const output = outputOf(stats, compiler.outputPath)
    await settle(compiler, () => opened.finish([output]))
  })
}

/**
 * Production's own default is no maps, so both "not set" and `false` mean that nobody asked for any. `false` is also how
 * a SourceMapDevToolPlugin is put in charge; then its maps are taken as they are.
 */
function makeHiddenMaps({ options }: Compiler, log: (line: Line) => void): void {
  if (options.devtool !== undefined && options.devtool !== false) return
  if (options.plugins.some((plugin) => plugin?.constructor.name.endsWith('SourceMapDevToolPlugin'))) return
  if (options.devtool === false) {
    log({ severity: 'info', text: "devtool is false: source maps are made for the upload, as 'hidden-source-map'." })
  }
  options.devtool = 'hidden-source-map'
}

function outputOf({ compilation }: Stats, directory: string): BuildOutput {
  const output: BuildOutput = { directory, files: new Set(), mapOf: new Map() }
  for (const { name, info } of compilation.getAssets()) {
    const file = withoutQuery(name)
    output.files.add(file)
    const map = info.related?.sourceMap
    const first: unknown = Array.isArray(map) ? map[0] : map
    if (typeof first === 'string') {
      output.files.add(withoutQuery(first))
      output.mapOf.set(file, withoutQuery(first))
    }
  }
  return output
}

/** `filename: 'app.js?[contenthash]'` writes the file `app.js`. */
function withoutQuery(name: string): string {
  const query = name.indexOf('?')
  return query === -1 ? name : name.slice(0, query)
}

function logThrough(compiler: Compiler): (line: Line) => void {
  return ({ severity, text }) => {
    const logger = compiler.getInfrastructureLogger('symup')
    if (severity === 'error') logger.error(text)
    else if (severity === 'warning') logger.warn(text)
    else logger.info(text)
  }
}
