import { resolve } from 'node:path'
import { type Line, shownPath } from '@symup/core'
import { isInside } from '@symup/core/internal'
import { t } from '@symup/core/text'
import type { ResolvedConfig, UserConfig } from 'vite'
import { type Framework, projectAbove } from '../frameworks/framework.ts'
import type { BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'
import { tellOnce, tooOld } from './messages.ts'
import { prefixFrom } from './public-path.ts'

/** In Vite 6 or later, the context of a hook contains the environment, which shows where the output runs. */
export interface HookContext {
  environment?: { name: string; config: { consumer?: 'client' | 'server' } }
}

/** Returns the name of the hook's environment. Vite 5 does not have environments, so the default is `client`. */
export function environmentOf({ environment }: HookContext): string {
  return environment?.name ?? 'client'
}

/** Returns where an environment's output runs, according to the config before Vite completes it. */
export function consumerOf(
  name: string,
  { consumer }: { consumer?: 'client' | 'server' | undefined },
): 'client' | 'server' {
  return consumer ?? (name === 'client' ? 'client' : 'server')
}

/**
 * Tests whether a build is only for a server, according to the config before Vite completes it. With the app builder (Astro 6 or later),
 * the same config may also build for browsers.
 */
export function isServerBuild({ build, builder, environments }: UserConfig): boolean {
  return Boolean(build?.ssr) && !(builder && environments?.client)
}

/** Tests whether the output runs on a server. Browsers never report the addresses of such output. */
export function runsOnServer(
  { environment }: HookContext,
  { build }: Pick<ResolvedConfig, 'build'>,
  frameworks: readonly Framework[],
): boolean {
  if (frameworks.some(({ shipsServer }) => shipsServer)) return false
  return environment === undefined ? Boolean(build.ssr) : environment.config.consumer === 'server'
}

/**
 * @throws SymupError for Vite versions before 5, which do not call the plugin's hooks as required. Vite 5 is the first version with Rollup
 * 4.
 */
export function requireVite5({ rollupVersion }: { rollupVersion: string }): void {
  if (!(Number.parseInt(rollupVersion, 10) >= 4)) throw tooOld('Vite', '5')
}

/** Collects server outputs that are not uploaded, and reports them in the log. */
export class LeftAlone {
  readonly #lines = new Map<string, string>()

  add(directory: string, root: string): void {
    const place = shownPath(directory, root) || '.'
    this.#lines.set(
      directory,
      t`${place} runs on a server and is not uploaded. To also upload server code, set server: true.`,
    )
  }

  /**
   * Logs the collected server outputs. Astro, for example, uses a quieter log level for its server build than for its later browser build,
   * so the browser build logs them.
   * @param outputs the outputs of the browser build. A server build in the same directory only prerenders the pages and is not deployed, so it is skipped.
   */
  tell(log: (line: Line) => void, outputs: readonly BundleOutput[] = []): void {
    for (const [directory, text] of this.#lines) {
      if (!outputs.some((output) => isInside(output.directory, directory))) tellOnce(log, text)
    }
    this.#lines.clear()
  }
}

export function projectOf({ root }: Pick<ResolvedConfig, 'root'>, frameworks: readonly Framework[]): string {
  return frameworks.some(({ isBelowProject }) => isBelowProject) ? projectAbove(resolve(root)) : root
}

/** Returns Vite's base as the prefix, unless the base is relative or a framework or plugin determines the addresses. */
export function prefixOf(
  config: ResolvedConfig,
  frameworks: readonly Framework[],
  hasRelativeBase: boolean,
): BuildPrefix | undefined {
  const base = hasRelativeBase ? './' : config.base
  const own = frameworks.find(({ prefix }) => prefix)
  if (own?.prefix) return own.prefix(config, base)
  if (config.experimental?.renderBuiltUrl)
    return { because: t`experimental.renderBuiltUrl in the Vite config determines the URLs` }
  return prefixFrom(base, t`Vite's base`)
}
