import { type Line, problem, SymupError } from '@symup/core/internal'
import type { ResolvedConfig } from 'vite'

/** Tools that build with the project's own Vite config what is never deployed as the app: the name of a plugin of theirs. */
const INHERITORS: readonly (readonly [plugin: RegExp, tool: string])[] = [
  [/^storybook:/, 'Storybook'],
  [/^vitest(?:$|:)/, 'Vitest'],
  [/^playwright:/, 'Playwright'],
  [/^ladle:/, 'Ladle'],
  [/^histoire[-:]/, 'Histoire'],
  [/^vite-node(?:$|:)/, 'vite-node'],
]

/** Plugins as a config has them: in lists within lists, with gaps, some of them still awaited. */
type Plugins = readonly unknown[]

/** @returns the tool that builds with somebody else's config, if it is one. */
export function inheritorOf(plugins: Plugins): string | undefined {
  for (const name of namesOf(plugins)) {
    const tool = INHERITORS.find(([pattern]) => pattern.test(name))?.[1]
    if (tool !== undefined) return tool
  }
  return undefined
}

function namesOf(plugins: Plugins): string[] {
  return plugins
    .flat(Number.POSITIVE_INFINITY)
    .flatMap((plugin) => (hasName(plugin) && typeof plugin.name === 'string' ? plugin.name : []))
}

function hasName(plugin: unknown): plugin is { name: unknown } {
  return typeof plugin === 'object' && plugin !== null && 'name' in plugin
}

/** Since Vite 6 a hook knows its environment, which says where its output runs. */
interface HookContext {
  environment?: { name: string; config: { consumer?: 'client' | 'server' } }
}

/** Name of the environment that a hook is called for; Vite 5 has one. */
export function environmentOf({ environment }: HookContext): string {
  return environment?.name ?? 'client'
}

/** Whether the output runs on a server: browsers never report its addresses. */
export function runsOnServer({ environment }: HookContext, { build }: Pick<ResolvedConfig, 'build'>): boolean {
  return environment === undefined ? Boolean(build.ssr) : environment.config.consumer === 'server'
}

/** @throws SymupError before Vite 5, which brought Rollup 4; the plugin's hooks are not called as it needs there. */
export function requireVite5({ rollupVersion }: { rollupVersion: string }): void {
  if (Number.parseInt(rollupVersion, 10) >= 4) return
  const found = problem('bundler-too-old', 'This is Vite 4 or older, and the symup plugin needs Vite 5 or newer.')
  throw new SymupError(`${found.message} ${found.fix}`, [found])
}

const told = new Set<string>()

/** Tells something about builds that are left alone once, however many of them a framework starts. */
export function tellOnce(log: (line: Line) => void, text: string): void {
  if (!told.has(text)) log({ severity: 'info', text })
  told.add(text)
}
