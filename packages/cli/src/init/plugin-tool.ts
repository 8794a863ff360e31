import { phrase, t } from '@symup/core/text'
import { importByHand, isCall, newConfig, type PluginEdit, withPlugin } from './edit-config.ts'
import { placeToWrite } from './place.ts'
import type { Project } from './project.ts'
import { olderThanPlugin } from './too-old.ts'
import { changeOf, configFile, dependency, namedConfigs, newConfigName, type Setup, type Tool } from './tool.ts'

export interface PluginTool extends Pick<Tool, 'id' | 'name'> {
  /** Base name of the config file, such as `vite` for `vite.config.ts`. */
  stem: string
  /** Dependencies that identify the tool even without a config file. */
  tells: readonly string[]
  /** Finds config files with an unusual name or location. */
  find?: (project: Project) => string | undefined
  /** Overrides for the edit that adds the plugin. The default module is `@symup/unplugin/<id>`. */
  edit?: Partial<PluginEdit>
  prefixAt?: readonly string[]
  /**
   * Whether the plugin can determine the deployment address if the config does not set it. Default: false, in which case `/` is written to
   * `symup.json`.
   */
  knowsPlace?: boolean
  packages?: readonly string[]
  /** Whether `symup init` may create the config file. Default: true. */
  mayCreate?: boolean
  /** Whether the config file may exist only for other purposes, such as tests. Default: false. */
  mayBeIdle?: boolean
  notes?: readonly string[]
  /** npm package and display name of the bundler, used to detect outdated versions. */
  bundler?: readonly [packageName: string, name: string]
  /** Package through which the project depends on the bundler, if the dependency is indirect. */
  framework?: string
}

const SEVERAL = phrase`If these builds are deployed to different locations, set a prefix for each build: symup({ minifiedPathPrefix: '/…' })`

export function pluginTool({ id, name, stem, tells, ...how }: PluginTool): Tool {
  const { edit, prefixAt = [], knowsPlace = false, packages = ['@symup/unplugin'] } = how
  const { mayCreate = true, mayBeIdle = false, notes, bundler, framework } = how
  const { find = (project: Project) => configFile(project, stem) } = how
  return {
    id,
    name,
    evidence: (project) =>
      find(project) ??
      namedConfigs(project, stem).at(0) ??
      (mayCreate && isRun(project, stem) ? dependency(project, ...tells) : undefined),
    setUp(project) {
      const older = bundler && olderThanPlugin(project, ...bundler, framework)
      if (older) return older
      const whole: PluginEdit = { from: `@symup/unplugin/${id}`, ...edit }
      const own = find(project)
      const paths = own === undefined ? namedConfigs(project, stem) : [own]
      const [first] = paths
      const config = project.read(first ?? '') ?? ''
      const minifiedPathPrefix = placeToWrite(project, { path: first, builds: config, at: prefixAt, knowsPlace })
      const isUnused = mayBeIdle && first !== undefined && !isRunOrUnknown(project, id)
      const all = [...(notes ?? []), ...(paths.length > 1 ? [SEVERAL] : []), ...(isUnused ? [idle(first, name)] : [])]
      const common: Setup = { packages, changes: [], minifiedPathPrefix, notes: all }
      if (first === undefined)
        return { ...common, changes: [{ path: newConfigName(project, stem), after: newConfig(whole) }] }
      return { ...common, ...editedConfigs(project, paths, whole) }
    },
  }
}

export function editedConfigs(
  project: Project,
  paths: readonly string[],
  edit: PluginEdit,
): Pick<Setup, 'changes' | 'byHand'> {
  const after = new Map(paths.map((path) => [path, withPlugin(project.read(path) ?? '', edit)]))
  const refused = paths.filter((path) => after.get(path) === undefined)
  return {
    changes: paths.flatMap((path) => changeOf(path, project.read(path) ?? '', after.get(path))),
    ...(refused.length > 0 && { byHand: snippet(refused, edit, project) }),
  }
}

/**
 * Returns whether a script runs the command. A dependency is not sufficient evidence, because many packages do not run the tools in their
 * dependencies.
 */
export function isRun({ manifest: { scripts = {} } }: Project, command: string): boolean {
  // The pattern also matches `remix vite:build` and `node_modules/vite/bin/vite.js build`.
  const runs = new RegExp(`(?:^|[\\s/"'(&;|])${command}(?:$|[\\s"')&;|:]|\\.[cm]?js\\b)`)
  return Object.values(scripts).some((line) => runs.test(line))
}

/** Returns whether the project runs the bundler, directly or from a script file. */
export function runsBundler(project: Project, id: string): boolean {
  const imports = new RegExp(`(?:\\bfrom|\\bimport|\\brequire\\(|\\bimport\\()\\s*['"]${id}['"]`)
  return isRun(project, id) || scriptsOf(project).some((path) => imports.test(project.read(path) ?? ''))
}

const AFTER_CONFIG = /(?:--config|-c)[\s=]+["']?$/
const MAX_FLAG = 20

/** Returns the project files that npm scripts run. Excludes config files, such as `vite.config.ts` in `vitest --config vite.config.ts`. */
export function scriptsOf({ manifest: { scripts = {} } }: Project): string[] {
  const named = Object.values(scripts).flatMap((line) =>
    [...line.matchAll(/[\w./-]+/g)].flatMap(({ 0: word, index }) => {
      const isConfig = AFTER_CONFIG.test(line.slice(Math.max(0, index - MAX_FLAG), index))
      return isConfig ? [] : (word.match(/^.+\.[cm]?[jt]s\b/) ?? [])
    }),
  )
  return [...new Set(named)]
}

/** If a project has no scripts, it is assumed to run the tool. */
function isRunOrUnknown(project: Project, id: string): boolean {
  return Object.keys(project.manifest.scripts ?? {}).length === 0 || runsBundler(project, id)
}

const idle = (config: string, name: string) =>
  t`No script in package.json runs ${name} directly. If ${config} does not build the app, choose another tool with --tool.`

/** Returns the code to add manually to config files that `symup init` cannot change. */
function snippet(paths: readonly string[], edit: PluginEdit, project: Project): string {
  const { from, at = ['plugins'], also = [], call = 'symup()', first, made, sets } = edit
  const list = first ? `[${call}, …]` : `[…, ${call}]`
  const code = project.read(paths[0] ?? '') ?? ''
  const importing = isCall(call) ? `${importByHand(code, 'symup', from)}\n\n` : ''
  const nested = [at, ...also].map((names) =>
    names.slice(0, -1).reduceRight((inner, name) => `${name}: { ${inner} }`, `${names.at(-1)}: ${list}`),
  )
  // In Symfony Encore, the config is built with function calls.
  const added = code.includes('Encore.getWebpackConfig(')
    ? `Encore.addPlugin(${call})`
    : (made ?? [...(sets ? [sets.join(': ')] : []), ...nested].join(',\n'))
  return t`init cannot edit ${paths.join(', ')} automatically. Add this code:\n\n${importing}${added}`
}
