import { resolve } from 'node:path'
import { type Line, shownPath } from '@symup/core'
import { isInside } from '@symup/core/internal'
import { t } from '@symup/core/text'
import type { ResolvedConfig, UserConfig } from 'vite'
import type { Framework } from '../frameworks/framework.ts'
import { projectAbove } from '../frameworks/project-above.ts'
import type { BundleOutput } from '../output.ts'
import type { BuildPrefix } from '../prefix.ts'
import { tellOnce, tooOld } from './messages.ts'
import { prefixFrom } from './public-path.ts'

/** Since Vite 6 a hook has its environment, with the place where its output runs. */
export interface HookContext {
  environment?: { name: string; config: { consumer?: 'client' | 'server' } }
}

/** Name of the environment that a hook is called for; Vite 5 has one. */
export function environmentOf({ environment }: HookContext): string {
  return environment?.name ?? 'client'
}

/** Where an environment's output runs, by its config before Vite completes it. */
export function consumerOf(
  name: string,
  { consumer }: { consumer?: 'client' | 'server' | undefined },
): 'client' | 'server' {
  return consumer ?? (name === 'client' ? 'client' : 'server')
}

/** Whether a build, by its config before Vite completes it, is for a server only. The app builder may build for browsers too (Astro 6 and later). */
export function isServerBuild({ build, builder, environments }: UserConfig): boolean {
  return Boolean(build?.ssr) && !(builder && environments?.client)
}

/** Whether the output runs on a server: browsers never report its addresses. */
export function runsOnServer(
  { environment }: HookContext,
  { build }: Pick<ResolvedConfig, 'build'>,
  frameworks: readonly Framework[],
): boolean {
  if (frameworks.some(({ shipsServer }) => shipsServer)) return false
  return environment === undefined ? Boolean(build.ssr) : environment.config.consumer === 'server'
}

/** @throws SymupError before Vite 5, which brought Rollup 4; the plugin's hooks are not called as it needs there. */
export function requireVite5({ rollupVersion }: { rollupVersion: string }): void {
  if (!(Number.parseInt(rollupVersion, 10) >= 4)) throw tooOld('Vite', '5')
}

/** Server outputs that are left alone, until the log lists them. */
export class LeftAlone {
  readonly #lines = new Map<string, string>()

  add(directory: string, root: string): void {
    const place = shownPath(directory, root) || '.'
    this.#lines.set(directory, t`${place} runs on a server and is left alone (server: true uploads it too).`)
  }

  /**
   * Logs them. A framework's server build can be quieter than its later build for browsers (Astro), which then logs them.
   * @param outputs of the browsers' build. A server's build into the same place was a step to its pages: nothing of it ships.
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

/** The base, unless it is relative or a framework or plugin decides the addresses. */
export function prefixOf(
  config: ResolvedConfig,
  frameworks: readonly Framework[],
  hasRelativeBase: boolean,
): BuildPrefix | undefined {
  const base = hasRelativeBase ? './' : config.base
  const own = frameworks.find(({ prefix }) => prefix)
  if (own?.prefix) return own.prefix(config, base)
  if (config.experimental?.renderBuiltUrl)
    return { because: t`Vite's experimental.renderBuiltUrl decides the addresses` }
  return prefixFrom(base, t`Vite's base`)
}
