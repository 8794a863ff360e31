import { relative, resolve, sep } from 'node:path'
import type { SymupOptions } from '../options.ts'
import { type BuildOutput, openSession } from '../session.ts'
import { logToConsole, prefixFrom, sourcemapsOff } from './messages.ts'

/** The part of Bun's plugin builder that is used here; `onEnd` exists since Bun 1.2.22. */
interface BunBuild {
  config: { outdir?: string; publicPath?: string; sourcemap?: unknown; root?: string }
  onEnd?(callback: (result: BunResult) => Promise<void> | void): unknown
}

interface BunResult {
  success: boolean
  outputs: readonly { path: string }[]
}

/** `Bun.build` has no watch mode (that is the command's, which takes no plugins), so each build is a release. */
export function setUpBun(untyped: unknown, options: SymupOptions): void {
  const build = untyped as BunBuild
  const { config } = build
  if (config.sourcemap === undefined) config.sourcemap = 'external'
  if (config.outdir === undefined || build.onEnd === undefined) {
    const why = config.outdir === undefined ? 'There is no outdir' : 'This Bun does not tell plugins when a build ends'
    logToConsole({ severity: 'warning', text: `${why}: nothing is uploaded.` })
    return
  }
  const directory = resolve(config.outdir)
  const session = openSession(options, {
    bundler: 'bun',
    root: process.cwd(),
    log: logToConsole,
    prefix: prefixFrom(config.publicPath, 'publicPath'),
  })
  if (!session) return
  if (config.sourcemap === 'none' || config.sourcemap === false) {
    sourcemapsOff('sourcemap is off', "Remove it, or set it to 'external'.").forEach(logToConsole)
  }
  build.onEnd(async ({ success, outputs }) => {
    if (success) await session.finish([outputOf(outputs, directory)])
  })
}

function outputOf(outputs: BunResult['outputs'], directory: string): BuildOutput {
  const files = outputs.map(({ path }) => relative(directory, resolve(path)).split(sep).join('/'))
  return { directory, files: new Set(files), mapOf: new Map() }
}
