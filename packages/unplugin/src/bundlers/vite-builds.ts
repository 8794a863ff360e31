import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside, type Line, nameBelow, shownPath, t } from '@symup/core/internal'
import type { ResolvedConfig, UserConfig } from 'vite'
import type { BundleOutput } from '../output.ts'
import { pluginsIn } from '../plugin-list.ts'
import type { BuildPrefix } from '../session.ts'
import { tellOnce, tooOld } from './messages.ts'
import { movedBy, prefixFrom } from './public-path.ts'
import { svelteKitOf } from './svelte-kit.ts'

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

/**
 * Whether uni-app makes a mini program of a project that it makes a site of, too, with the same config. Stacks of a mini program are resolved by
 * the archive of `@symup/mini-program`. (Taro's Vite runner is of Vite 4, which is refused.)
 */
export function isMiniProgram({ UNI_PLATFORM = '' } = process.env): boolean {
  return UNI_PLATFORM.startsWith('mp-')
}

/** Astro gives its environment for browsers a source map setting of its own. */
export function isAstro(plugins: Plugins): boolean {
  return namesOf(plugins).some((name) => name.startsWith('astro:'))
}

/** The framework of browser extensions, which builds each of their scripts by itself. */
export function isWxt(plugins: Plugins): boolean {
  return namesOf(plugins).some((name) => name.startsWith('wxt:'))
}

/** WXT's module for Vue turns source maps off, whatever its user wants. */
function isWxtWithVue(plugins: Plugins): boolean {
  return isWxt(plugins) && namesOf(plugins).includes('vite:vue')
}

/** Commands that turn source maps off where their user sets nothing, by a plugin of theirs: Quasar's, and Strapi's of the admin panel. */
const WITHOUT_MAPS: ReadonlySet<string> = new Set(['quasar:html', 'strapi/server/build-files'])

export function turnsMapsOff(plugins: Plugins): boolean {
  return isWxtWithVue(plugins) || namesOf(plugins).some((name) => WITHOUT_MAPS.has(name))
}

/**
 * vite-prerender-plugin (Preact's preset, when it makes pages) turns source maps on in its `config` hook, and takes them out of the output at the end where its user
 * had set none.
 */
export function isPrerendered(plugins: Plugins): boolean {
  return namesOf(plugins).includes('vite-prerender-plugin')
}

/** Takes the maps out of what Vite gives its caller: WXT looks for every file of that, and fails where one is deleted. */
export function forgetMaps(bundle: Record<string, unknown>): void {
  for (const file of Object.keys(bundle)) if (file.endsWith('.map')) delete bundle[file]
}

/** Names of all plugins that a config has by now. */
export function namesOf(plugins: Plugins): string[] {
  return pluginsIn(plugins).flatMap(({ name }) => (typeof name === 'string' ? name : []))
}

/** Since Vite 6 a hook knows its environment, which says where its output runs. */
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
  { build, plugins }: Pick<ResolvedConfig, 'build' | 'plugins'>,
): boolean {
  if (isElectron(plugins)) return false
  return environment === undefined ? Boolean(build.ssr) : environment.config.consumer === 'server'
}

/** @throws SymupError before Vite 5, which brought Rollup 4; the plugin's hooks are not called as it needs there. */
export function requireVite5({ rollupVersion }: { rollupVersion: string }): void {
  if (!(Number.parseInt(rollupVersion, 10) >= 4)) throw tooOld('Vite', '5')
}

/** Outputs of server builds that are left alone, until that is told. */
export class LeftAlone {
  /** The message by directory. */
  readonly #untold = new Map<string, string>()

  add(directory: string, root: string): void {
    const place = shownPath(directory, root) || '.'
    this.#untold.set(directory, t`${place} runs on a server and is left alone (server: true uploads it too).`)
  }

  /**
   * Tells what was left alone. A server's build of a framework may be quieter than the browsers' one after it (Astro's), which then tells it.
   * @param outputs of the browsers' build. A server's build into the same place was a step to its pages: nothing of it ships.
   */
  tell(log: (line: Line) => void, outputs: readonly BundleOutput[] = []): void {
    for (const [directory, text] of this.#untold) {
      if (!outputs.some((output) => isInside(output.directory, directory))) tellOnce(log, text)
    }
    this.#untold.clear()
  }
}

/** vite-plugin-pwa (more than 100,000 downloads a week) has Workbox write service workers after the bundle, with maps if the build has maps. */
export function writesWorkers(plugins: Plugins): boolean {
  return namesOf(plugins).includes('vite-plugin-pwa')
}

/** Nuxt builds with Vite in its source directory, and has a setting of its own for source maps. */
export function isNuxt(plugins: Plugins): boolean {
  return namesOf(plugins).some((name) => name.startsWith('nuxt:'))
}

/** electron-vite builds the main process and the preload scripts as if for a server; they ship inside the app like its pages. */
export function isElectron(plugins: Plugins): boolean {
  return namesOf(plugins).some((name) => name.startsWith('vite:electron-'))
}

/** Electron Forge builds each part of an app in a process of its own, and puts a plugin of its own into only some of them; its directories tell. */
export function isForge({ build }: { build: { outDir: string } }): boolean {
  return /^\.vite\/(?:build|renderer\/[^/]*)$/.test(build.outDir)
}

/** Directory of the project that a Vite root belongs to: of its package.json in Nuxt and electron-vite, else the root itself. */
export function projectOf({ root, plugins }: Pick<ResolvedConfig, 'root' | 'plugins'>): string {
  if (!isNuxt(plugins) && !isElectron(plugins)) return root
  let directory = root
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory)
    if (parent === directory) return root
    directory = parent
  }
  return directory
}

/** The base, unless it is relative or something else decides the addresses. */
export function prefixOf(config: ResolvedConfig, hasRelativeBase: boolean): BuildPrefix | undefined {
  const { base, experimental, plugins, root, build } = config
  // Its pages have a relative base; below the project's directory the output lies as it will below that of the installed app.
  if (isElectron(plugins) || isForge(config)) {
    const place = nameBelow(projectOf(config), resolve(root, build.outDir))
    return prefixFrom(`app:///${place}`, t`the Electron app's build.outDir`)
  }
  const kit = svelteKitOf(plugins)
  if (kit) return kit.prefix
  // Nuxt's own function puts its base before each file.
  if (experimental?.renderBuiltUrl && !isNuxt(plugins))
    return { because: t`Vite's experimental.renderBuiltUrl decides the addresses` }
  return movedBy(namesOf(plugins)) ?? prefixFrom(hasRelativeBase ? './' : base, t`Vite's base`)
}
