import { dirname, relative, resolve, sep } from 'node:path'
import type { Metafile, PluginBuild } from 'esbuild'
import type { SymupOptions } from '../options.ts'
import { type BuildOutput, openSession } from '../session.ts'
import { logToConsole as log, prefixFrom, sourcemapsOff } from './messages.ts'

/** Must be called by the plugin's `setup` before it awaits anything: see {@link isContext}. */
export function setUpEsbuild(build: PluginBuild, options: SymupOptions): void {
  const config = build.initialOptions
  const root = config.absWorkingDir ?? process.cwd()
  // 'external' makes the maps and leaves no trace of them in what ships. What the user has set stays.
  if (config.sourcemap === undefined) config.sourcemap = 'external'
  if (isContext()) {
    log({ severity: 'info', text: 'An esbuild context watches or serves: nothing is uploaded. Release with build().' })
    return
  }
  if (config.write === false) {
    log({ severity: 'info', text: 'write is false: no files are written, so nothing is uploaded.' })
    return
  }
  const outputDirectory = config.outdir ?? (config.outfile === undefined ? undefined : dirname(config.outfile))
  if (outputDirectory === undefined) {
    log({ severity: 'info', text: 'There is no outdir or outfile: nothing is uploaded.' })
    return
  }
  const session = openSession(options, {
    bundler: 'esbuild',
    root,
    log,
    prefix: prefixFrom(config.publicPath, 'publicPath'),
  })
  if (!session) return
  if (config.sourcemap === false)
    sourcemapsOff('sourcemap is false', "Remove it, or set it to 'external'.").forEach(log)
  // The list of what is written.
  config.metafile = true

  let builds = 0
  build.onEnd(async ({ errors, metafile }) => {
    // A second build can only come from a context that could not be told from a build().
    if (++builds > 1 || errors.length > 0 || !metafile) return
    await session.finish([outputOf(metafile, root, resolve(root, outputDirectory))])
  })
}

/**
 * Whether the plugin is set up by `context()`, which is for watching and serving, and not by `build()`. Esbuild does not tell its
 * plugins, but calls the first of them while the user's call is still on the stack. After a plugin whose setup is asynchronous the stack
 * is gone and the answer is no.
 */
function isContext(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return /\bat (?:\w+\.)*context \(.*\besbuild/.test(stack)
}

function outputOf(metafile: Metafile, root: string, directory: string): BuildOutput {
  const output: BuildOutput = { directory, files: new Set(), mapOf: new Map() }
  for (const path of Object.keys(metafile.outputs)) {
    output.files.add(relative(directory, resolve(root, path)).split(sep).join('/'))
  }
  return output
}
