import { dirname, resolve } from 'node:path'
import { type Problem, t } from '@symup/core/internal'
import type { OutputOptions, Plugin } from 'rollup'
import { rollupDebugIds } from '../debug-id/rollup.ts'
import { decideMaps, rollupMapSetting } from '../maps.ts'
import { finishAtTheEnd } from '../not-closed.ts'
import type { SymupOptions } from '../options.ts'
import { pluginsIn } from '../plugin-list.ts'
import { openSession, type Session } from '../session.ts'
import { logTo } from '../terminal.ts'
import { TransformWatch } from '../transforms.ts'
import { defineBundler, pluginOfHooks } from './bundler.ts'
import { declarationsOnly, logProblems, tellOnce, tooOld, watching } from './messages.ts'
import { Written } from './written.ts'

/** rollup-plugin-dts makes a type declaration of everything in its build, and of a source map that is asked for a map that nobody wants. */
const DECLARATIONS_PLUGIN = 'dts'

export const rollup = defineBundler({
  label: 'Rollup',
  debugIds: true,
  hooks: (options) => rollupHooks(options, 'rollup'),
  plugin: pluginOfHooks<Plugin>,
})

/** For Rollup and Rolldown. */
export function rollupHooks(options: SymupOptions, bundler: 'rollup' | 'rolldown'): object[] {
  return [hooksFor(options, bundler), ...(options.debugIds ? rollupDebugIds() : [])]
}

/**
 * Hooks for Rollup and Rolldown, which agree on all that is used here. A build is one `rollup()`: its outputs are uploaded
 * together when the bundle is closed. (The command does that; whoever calls the JavaScript API has to call `bundle.close()`, else it is the process's end.)
 */
function hooksFor(options: SymupOptions, bundler: 'rollup' | 'rolldown'): Partial<Plugin> & TsdownHooks {
  const root = process.cwd()
  const written = new Written()
  const transforms = new TransformWatch()
  /** Places of the outputs whose maps stay. */
  const kept = new Set<string>()
  /** The message about the maps. Rolldown asks for the output options first, Rollup starts the build first. */
  const unsaid: Problem[] = []
  let session: Session | undefined
  /** Builds that are not closed: tsdown builds all its formats at once, with one instance. */
  let underWay = 0
  let failed = false
  let saidWatching = false
  let makesDeclarations = false
  let isLeftOutOfTsdown: boolean | undefined
  let level: unknown
  const logLevel = () => level
  const log = logTo(options, logLevel)
  const directoryOf = ({ dir, file = '' }: Pick<OutputOptions, 'dir' | 'file'>) => resolve(root, dir ?? dirname(file))
  let callOff = () => {}
  const fail = () => {
    failed = true
    written.stop()
  }
  async function finish(opened: Session | undefined): Promise<void> {
    const { outputs, onlyDeclarations } = written.take()
    if (underWay === 0) {
      written.stop()
      kept.clear()
    }
    if (onlyDeclarations) tellOnce(log, declarationsOnly())
    if (opened && !failed && outputs.length > 0) await opened.finish(outputs)
  }

  return {
    tsdownConfig(user, flags) {
      isLeftOutOfTsdown = isLeftOut(user.sourcemap, flags.sourcemap)
    },

    options({ plugins }) {
      transforms.watch(plugins)
      // Older tsdowns do not call `tsdownConfig`. Whether their user set `false` is not known then; the maps are deleted in the end anyhow.
      if (isTsdown(plugins)) isLeftOutOfTsdown ??= !hasMapFlag()
    },

    buildStart(input) {
      requireRollup3(this.meta)
      failed = false
      level = input.logLevel
      makesDeclarations = bundler === 'rollup' && input.plugins.some(({ name }) => name === DECLARATIONS_PLUGIN)
      if (makesDeclarations) {
        session = undefined
        tellOnce(log, declarationsOnly())
        return
      }
      if (this.meta.watchMode) {
        if (!saidWatching) log(watching())
        saidWatching = true
        session = undefined
        return
      }
      session = openSession(options, { bundler, root, log, logLevel, transforms })
      underWay++
    },

    outputOptions(output): OutputOptions | null {
      if (makesDeclarations) return null
      const sourcemap = isLeftOutOfTsdown && output.sourcemap === false ? undefined : output.sourcemap
      const now = t`output.sourcemap is ${sourcemap}`
      const words = { now, hidden: "output.sourcemap: 'hidden'" }
      const decision = decideMaps(rollupMapSetting(sourcemap), options.deleteAfterUpload, words)
      unsaid.push(...decision.problems)
      if (!decision.deletes) kept.add(placeOf(root, output))
      return decision.hide ? { ...output, sourcemap: 'hidden' } : null
    },

    renderStart() {
      const problems = unsaid.splice(0)
      if (session) logProblems(log, problems)
    },

    buildEnd(error) {
      if (error) fail()
    },

    renderError: fail,

    generateBundle(output, _, isWritten) {
      if (session && isWritten) written.begin(directoryOf(output))
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      handler(output, bundle) {
        const directory = directoryOf(output)
        written.end(directory)
        if (!session) return
        transforms.wrote(bundle)
        written.add(directory, bundle, !kept.has(placeOf(root, output)))
        const opened = session
        callOff()
        callOff = finishAtTheEnd(() => finish(opened), log, {
          before: t`The bundle was not closed, so nothing is uploaded: call close() of it after write().`,
          amid: t`The process was ended amid the upload of a bundle that was not closed: call close() of it after write().`,
        })
      },
    },

    closeBundle: {
      order: 'post',
      // Other plugins write and rewrite files in this hook; ours is to see what they leave.
      sequential: true,
      async handler() {
        callOff()
        underWay = Math.max(0, underWay - 1)
        await finish(session)
      },
    },
  }
}

/** @throws SymupError before Rollup 3: it would fail after the build, at hooks that are objects, and not say why. */
function requireRollup3({ rollupVersion }: { rollupVersion: string }): void {
  if (Number.parseInt(rollupVersion, 10) < 3) throw tooOld('Rollup', '4')
}

interface TsdownSettings {
  sourcemap?: unknown
}

/** tsdown shows its plugins the config and the command's flags before it fills in `sourcemap: false`. */
interface TsdownHooks {
  tsdownConfig(user: TsdownSettings, flags: TsdownSettings): void
}

/** tsdown's command has `sourcemap: false` among its flags when nobody gave that flag. */
function isLeftOut(own: unknown, flag: unknown): boolean {
  return own === undefined || (own === false && flag === false && !hasMapFlag())
}

function hasMapFlag(): boolean {
  return process.argv.some((word) => /^--(?:no-)?sourcemap(?:=|$)/.test(word))
}

function isTsdown(plugins: unknown): boolean {
  return pluginsIn(plugins).some(({ name }) => typeof name === 'string' && name.startsWith('tsdown:'))
}

/** The outputs of a build are told apart by where they are written; two that share a directory share the decision to keep. */
function placeOf(root: string, { dir, file }: Pick<OutputOptions, 'dir' | 'file'>): string {
  return resolve(root, dir ?? file ?? '')
}
