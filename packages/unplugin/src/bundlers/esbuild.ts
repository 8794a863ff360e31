import { rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { type Line, nameBelow, type Problem, problem, t } from '@symup/core/internal'
import type { BuildOptions, BuildResult, OutputFile, Plugin, PluginBuild } from 'esbuild'
import { esbuildDebugIds } from '../debug-id/esbuild.ts'
import { decideMaps, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { prefixOfBuild } from '../prefix.ts'
import { placed } from '../server.ts'
import { type BundleOutput, openSession } from '../session.ts'
import { logTo } from '../terminal.ts'
import { finishWhenIdle } from '../unclosed.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { logProblems, tooOld } from './messages.ts'
import { prefixFrom } from './public-path.ts'
import { emptyOutput } from './written.ts'

const SERVERLESS = 'serverless-esbuild'

export const esbuild = defineBundler({
  label: 'esbuild',
  debugIds: true,
  hooks: (options) => [{ setup: (build: PluginBuild) => setUp(build, options) }],
  plugin: throughUnplugin<Plugin>('esbuild'),
})

/** Must be called by the plugin's `setup` before it awaits anything: see {@link callerOf}. */
function setUp(build: PluginBuild, given: SymupOptions): void {
  if (build.onDispose === undefined) throw tooOld('esbuild', '0.20')
  const config = build.initialOptions
  const log = logTo(given)
  const root = config.absWorkingDir ?? process.cwd()
  const caller = callerOf(config)
  // Scripts of VS Code extensions make a context for a release, too, and rebuild it once.
  const isContext = caller === 'context'
  if (caller !== 'build' && !isContext) {
    if (caller === 'unknown') logProblems(log, [unknownCaller()])
    else log({ severity: 'info', text: t`${caller}: nothing is uploaded.` })
    return
  }
  const directory = deployedDirectory(config, root)
  const isForNode = config.platform === 'node'
  const { options, isServer } = placed(given, { isForNode, directory })
  const isTsup = config.define?.TSUP_FORMAT !== undefined
  const maps = decideMaps(settingOf(config.sourcemap), options.deleteAfterUpload, {
    now: t`sourcemap is ${typeof config.sourcemap === 'string' ? `'${config.sourcemap}'` : config.sourcemap}`,
    hidden: "sourcemap: 'external'",
    // tsup defines this, and sets `sourcemap: false` where its user sets nothing.
    ...(isTsup && { on: t`Set ${'sourcemap: true'}.` }),
  })
  if (maps.hide) config.sourcemap = 'external'
  const prefix = prefixOfBuild(prefixFrom(config.publicPath, 'publicPath'), { isForNode })
  const session = openSession(options, { bundler: 'esbuild', root, log, prefix })
  logProblems(log, maps.problems)
  // The list of what is written.
  if (config.write !== false) config.metafile = true
  if (options.debugIds) esbuildDebugIds(build)

  let callOff = () => {}
  let builds = 0

  build.onEnd(async (result) => {
    const { errors, metafile, outputFiles } = result
    builds++
    callOff()
    if (isContext && builds === 2)
      log({ severity: 'info', text: t`The context was built again, as while watching: nothing is uploaded.` })
    if (errors.length > 0) return
    if (outputFiles) {
      const output = { ...outputInMemory(outputFiles, directory, maps.deletes), isServer }
      await session.finish([output])
      leaveOutMaps(result, outputFiles, output, log)
      return
    }
    if (!metafile) return
    const written = Object.keys(metafile.outputs).map((path) => resolve(root, path))
    const output = { ...outputOf(written, directory, maps.deletes), isServer }
    const finish = () => session.finish([output])
    const tidy = () => removeMaps(output, maps.hide)
    if (!isContext) await finish()
    else if (builds > 1) tidy()
    else {
      const stopWaiting = finishWhenIdle({ finish, log, tooEarly: cutOff(), tidy })
      callOff = () => {
        stopWaiting()
        tidy()
      }
    }
  })
}

const cutOff = () =>
  t`The process was ended after an esbuild context was built, so nothing is uploaded: call dispose() after rebuild() and let the process end by itself, without process.exit(), or use build().`

/** The caller of the build gets no maps that are to be deleted. */
function leaveOutMaps(
  result: BuildResult,
  files: OutputFile[],
  { directory, deletable }: BundleOutput,
  log: (line: Line) => void,
): void {
  result.outputFiles = files.filter(({ path }) => !deletable.has(nameBelow(directory, path)))
  const left = files.length - result.outputFiles.length
  if (left > 0) log({ severity: 'info', text: t`Left ${left} source map${left === 1 ? '' : 's'} out of outputFiles.` })
}

/**
 * Where the build's output has its root. serverless-esbuild builds each function into the directory of its entry, which it has in the package, too.
 * Called while the caller is on the stack, as {@link callerOf}.
 */
function deployedDirectory({ outdir, outfile = '', entryPoints }: BuildOptions, root: string): string {
  const directory = resolve(root, outdir ?? dirname(outfile))
  const [entry] = Array.isArray(entryPoints) ? entryPoints : []
  if (typeof entry !== 'string' || !stackOfCall().includes(SERVERLESS)) return directory
  const own = join(sep, dirname(entry))
  return directory.endsWith(own) ? directory.slice(0, -own.length) : directory
}

/** Those that the user has not asked for. */
function removeMaps({ directory, deletable }: BundleOutput, areOurs: boolean): void {
  if (areOurs) for (const file of deletable) rmSync(join(directory, file), { force: true })
}

/**
 * Whether the plugin is set up by `build()`, or by `context()`, which is for watching and serving. Esbuild does not tell its plugins, but
 * calls the first of them while the user's call is still on the stack. After a plugin whose setup is asynchronous the stack is gone.
 * @returns `build`, `context` where that may be a release, `unknown`, or why this is none.
 */
function callerOf({ outdir, outfile, ...config }: BuildOptions): string {
  const stack = stackOfCall()
  if (/\bat (?:\w+\.)*context \(.*\besbuild/.test(stack)) {
    const mayBeRelease = config.minify === true && config.write !== false && (outdir ?? outfile) !== undefined
    // Serverless packs what the context has built while the process goes on.
    if (mayBeRelease && !stack.includes(SERVERLESS)) return 'context'
    return t`An esbuild context, as for watching or serving (a release needs build(), or minify: true; in serverless-esbuild skipRebuild: true)`
  }
  if (outdir === undefined && outfile === undefined) return t`There is no outdir or outfile`
  return /\bat (?:\w+\.)*build \(.*\besbuild/.test(stack) ? 'build' : 'unknown'
}

function stackOfCall(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack
}

function unknownCaller(): Problem {
  return problem(
    'build-kind-unknown',
    t`After a plugin with an asynchronous setup, esbuild hides whether this is build() or context(): nothing is uploaded.`,
  )
}

function settingOf(sourcemap: BuildOptions['sourcemap']): MapSetting {
  switch (sourcemap) {
    case undefined:
      return 'unset'
    case false:
      return 'none'
    case 'external':
      return 'hidden'
    case 'inline':
    // Inline and beside the file: what ships holds the map either way.
    case 'both':
      return 'inline'
    default:
      return 'linked'
  }
}

/** @param paths absolute. */
function outputOf(paths: readonly string[], directory: string, deletes: boolean): BundleOutput {
  // Other builds and scripts write into the directory, too.
  const output: BundleOutput = { ...emptyOutput(directory), shared: true }
  for (const path of paths) {
    const file = nameBelow(directory, path)
    output.files.add(file)
    if (!file.endsWith('.map')) continue
    output.mapOf.set(file.slice(0, -'.map'.length), file)
    if (deletes) output.deletable.add(file)
  }
  return output
}

/** With `write: false` the files are the result's: whoever called the build may still write them. */
function outputInMemory(files: readonly OutputFile[], directory: string, deletes: boolean): BundleOutput {
  const paths = files.map(({ path }) => path)
  const contents = new Map(files.map(({ path, contents }) => [nameBelow(directory, path), contents]))
  return { ...outputOf(paths, directory, deletes), contents }
}
