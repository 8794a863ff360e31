import { rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { type Line, nameBelow, type Problem, problem } from '@symup/core'
import { t } from '@symup/core/text'
import type { BuildOptions, BuildResult, OutputFile, Plugin, PluginBuild } from 'esbuild'
import { BuildSession } from '../build-session.ts'
import { esbuildDebugIds } from '../debug-id/esbuild.ts'
import { decideMaps, type MapSetting, type MapSettingLabels } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { type BundleOutput, outputOf } from '../output.ts'
import { prefixOfBuild } from '../prefix.ts'
import { placed } from '../server.ts'
import { finishWhenIdle } from '../unclosed.ts'
import { defineBundler, throughUnplugin } from './bundler.ts'
import { logProblems, tooOld } from './messages.ts'
import { prefixFrom } from './public-path.ts'

const SERVERLESS = 'serverless-esbuild'

export const esbuild = defineBundler({
  label: 'esbuild',
  debugIds: true,
  hooks: (options) => [{ setup: (build: PluginBuild) => setUp(build, options) }],
  plugin: throughUnplugin<Plugin>('esbuild'),
})

/** Must run before the first await in the plugin's `setup`: see {@link callerOf}. */
function setUp(build: PluginBuild, given: SymupOptions): void {
  if (build.onDispose === undefined) throw tooOld('esbuild', '0.20')
  const config = build.initialOptions
  const session = new BuildSession(given, 'esbuild')
  const { log } = session
  const root = config.absWorkingDir ?? process.cwd()
  const caller = callerOf(config)
  // Build scripts for VS Code extensions use a context even for release builds, and call `rebuild()` once.
  const isContext = caller === 'context'
  if (caller !== 'build' && !isContext) {
    if (caller === 'unknown') logProblems(log, [unknownCaller()])
    else log({ severity: 'info', text: caller })
    return
  }
  const directory = deployedDirectory(config, root)
  const isForNode = config.platform === 'node'
  const { options, target } = placed(given, { isForNode, directory })
  const maps = decideMaps(settingOf(config.sourcemap), options.deleteAfterUpload, labelsOf(config))
  if (maps.hide) config.sourcemap = 'external'
  const prefix = prefixOfBuild(prefixFrom(config.publicPath, 'publicPath'), { isForNode })
  session.open({ options, root, prefix }, maps.problems)
  if (config.write !== false) config.metafile = true
  if (options.debugIds) esbuildDebugIds(build)

  const outputWith = (paths: readonly string[], more: Pick<BundleOutput, 'contents'> = {}) => {
    const files = paths.map((path) => nameBelow(directory, path))
    const formats = new Map(config.format === undefined ? [] : files.map((file) => [file, config.format as string]))
    // Other builds and scripts may also write to the output directory, so it is marked as shared.
    return outputOf(directory, files, { deletes: maps.deletes, target, formats, shared: true, ...more })
  }
  let callOff = () => {}
  let builds = 0

  build.onEnd(async (result) => {
    const { errors, metafile, outputFiles } = result
    builds++
    callOff()
    if (isContext && builds === 2)
      log({
        severity: 'info',
        text: t`Nothing is uploaded because the esbuild context was rebuilt, as in watch mode.`,
      })
    if (errors.length > 0) return
    if (outputFiles) {
      // With `write: false`, esbuild returns the files, and the caller may write them to disk.
      const contents = new Map(outputFiles.map(({ path, contents }) => [nameBelow(directory, path), contents]))
      const output = outputWith(
        outputFiles.map(({ path }) => path),
        { contents },
      )
      await session.finish({ outputs: [output] })
      leaveOutMaps(result, outputFiles, output, log)
      return
    }
    if (!metafile) return
    const output = outputWith(Object.keys(metafile.outputs).map((path) => resolve(root, path)))
    const finish = () => session.finish({ outputs: [output] })
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

function labelsOf({ sourcemap, define }: BuildOptions): MapSettingLabels {
  return {
    now: t`sourcemap is ${typeof sourcemap === 'string' ? `'${sourcemap}'` : sourcemap}`,
    hidden: "sourcemap: 'external'",
    // tsup defines `TSUP_FORMAT` and sets `sourcemap` to `false` unless the user sets it.
    ...(define?.TSUP_FORMAT !== undefined && { on: t`Set ${'sourcemap: true'}.` }),
  }
}

const cutOff = () =>
  t`The process ended after the esbuild context was built, so nothing is uploaded. Call dispose() after rebuild() and do not call process.exit(), or use build() instead.`

function leaveOutMaps(
  result: BuildResult,
  files: OutputFile[],
  { directory, deletable }: BundleOutput,
  log: (line: Line) => void,
): void {
  result.outputFiles = files.filter(({ path }) => !deletable.has(nameBelow(directory, path)))
  const left = files.length - result.outputFiles.length
  if (left > 0) log({ severity: 'info', text: t`Removed ${left} source map${left === 1 ? '' : 's'} from outputFiles.` })
}

/**
 * Returns the root of the deployed output. serverless-esbuild writes each function to a directory that matches the path of its entry point,
 * and deploys the function under the same path. The call stack must still contain the caller, as in {@link callerOf}.
 */
function deployedDirectory({ outdir, outfile = '', entryPoints }: BuildOptions, root: string): string {
  const directory = resolve(root, outdir ?? dirname(outfile))
  const [entry] = Array.isArray(entryPoints) ? entryPoints : []
  if (typeof entry !== 'string' || !stackOfCall().includes(SERVERLESS)) return directory
  const own = join(sep, dirname(entry))
  return directory.endsWith(own) ? directory.slice(0, -own.length) : directory
}

function removeMaps({ directory, deletable }: BundleOutput, areOurs: boolean): void {
  if (areOurs) for (const file of deletable) rmSync(join(directory, file), { force: true })
}

/**
 * Finds out from the call stack whether `build()` or `context()` set up the plugin, because esbuild does not provide this information. A
 * context is usually for watching or serving. After a plugin with an asynchronous setup, the stack no longer contains the caller.
 * @returns `build`, `context` (if the build may be a release), `unknown`, or a message that explains why the build is not a release.
 */
function callerOf({ outdir, outfile, ...config }: BuildOptions): string {
  const stack = stackOfCall()
  if (/\bat (?:\w+\.)*context \(.*\besbuild/.test(stack)) {
    const mayBeRelease = config.minify === true && config.write !== false && (outdir ?? outfile) !== undefined
    // serverless-esbuild packages the context's output before the process ends.
    if (mayBeRelease && !stack.includes(SERVERLESS)) return 'context'
    return t`This is an esbuild context for watching or serving, so nothing is uploaded. For a release, use build() or minify: true, or set skipRebuild: true in serverless-esbuild.`
  }
  if (outdir === undefined && outfile === undefined)
    return t`Neither outdir nor outfile is set, so nothing is uploaded.`
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
    t`A plugin with an asynchronous setup function runs before symup, so symup cannot determine whether build() or context() was called. Nothing is uploaded.`,
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
    // If `sourcemap` is `'both'`, esbuild writes the map to a file and also into the script, so the deployed script contains the map.
    case 'both':
      return 'inline'
    default:
      return 'linked'
  }
}
