import { t } from '@symup/core/text'
import type { Project } from './project.ts'

export interface Change {
  /** Path relative to the project directory. */
  path: string
  /** The content of the existing file. Absent for a new file. */
  before?: string
  after: string
}

export interface Setup {
  packages: readonly string[]
  changes: readonly Change[]
  /** The prefix to write to `symup.json` if the build tool does not set the deployment address. */
  minifiedPathPrefix?: string
  /** Whether the build itself sets the service and version that the app reports. */
  knowsRelease?: boolean
  /** Instructions for manual steps: the reason, and the lines to add. */
  byHand?: string
  notes?: readonly string[]
}

export function changeOf(path: string, before: string | undefined, after: string | undefined): Change[] {
  return after === undefined || after === before ? [] : [{ path, before, after }]
}

export interface Edit {
  path: string
  /** Returns undefined if the file cannot be changed automatically. */
  change(before: string): string | undefined
  /** The initial content if the file does not exist. If not set, the user has to make the change manually. */
  made?: string | undefined
  /** Instructions for files that cannot be changed automatically. */
  byHand: string
}

export function edited({ read }: Project, edits: readonly Edit[]): Pick<Setup, 'changes' | 'byHand'> {
  const done = edits.map(({ path, change, made, byHand }) => {
    const before = read(path)
    const after = before === undefined ? made : change(before)
    return { changes: changeOf(path, before, after), byHand: after === undefined ? [byHand] : [] }
  })
  const byHand = done.flatMap((it) => it.byHand).join('\n\n')
  return { changes: done.flatMap(({ changes }) => changes), ...(byHand !== '' && { byHand }) }
}

export interface Tool {
  id: string
  name: string
  evidence(project: Project): string | undefined
  setUp(project: Project): Setup
}

/**
 * Returns the usual prefix if the build tool does not set a deployment address. Stacks from VS Code extensions, Obsidian plugins and Node
 * programs contain file paths, so their prefix is `app:///`.
 * @param builds the code of a config or build script, or the build commands.
 */
export function usualPlace(project: Project, builds: string): string {
  return isInstalled(project) || isForNode(builds) ? 'app:///' : '/'
}

const platformIs = (names: string) => new RegExp(`\\b(?:platform|target)['"]?\\s*[:=]\\s*\\[?\\s*['"]?(?:${names})`)
const [NODE, BROWSER] = [platformIs('(?:async-)?(?:node|bun)|electron-(?:main|preload)'), platformIs('browser|web\\b')]
const commandIs = (names: string) => new RegExp(`(?:^|[\\s/&;|])(?:${names})(?=$|[\\s&;|])`)
/** Compilers for Node programs and libraries. */
const COMPILERS = commandIs('tsc|tsup|tsdown|swc|pkgroll')
/** ncc builds only Node programs. Such programs may be GitHub actions, which are not started by a script in package.json. */
const NCC = commandIs('ncc')

/**
 * Returns whether all builds in a config are for Node. If a config contains several builds, a build without a target may be for browsers.
 */
function isForNode(builds: string): boolean {
  return NODE.test(builds) && !BROWSER.test(builds) && (builds.match(/\bentry(?:points)?['"]?\s*:/gi) ?? []).length < 2
}

/** Returns whether the project is a Node program that is compiled without a bundler and then started or installed as a command. */
export function isNodeProgram({ manifest: { bin, scripts = {} } }: Project): boolean {
  const isStarted = Object.entries(scripts).some(
    ([name, line]) => /^start\b/.test(name) && /\b(?:node|bun)\s/.test(line),
  )
  const builds = [scripts.build, scripts.package].join(';')
  return NCC.test(builds) || (COMPILERS.test(scripts.build ?? '') && (isStarted || bin !== undefined))
}

export function isInstalled({ manifest: { engines = {} }, dependencies }: Project): boolean {
  return engines.vscode !== undefined || dependencies.has('obsidian')
}

export function fileLike(project: Project, name: RegExp): string | undefined {
  return project.files.find((file) => name.test(file))
}

export function dependency({ dependencies }: Project, ...names: string[]): string | undefined {
  const found = names.find((name) => dependencies.has(name))
  return found === undefined ? undefined : t`${found} in package.json`
}

export function configFile(project: Project, stem: string): string | undefined {
  return fileLike(project, new RegExp(`^${stem.replaceAll('.', '\\.')}\\.config\\.[cm]?[jt]s$`))
}

export function newConfigName({ manifest }: Project, stem: string): string {
  return `${stem}.config.${manifest.type === 'module' ? 'js' : 'mjs'}`
}

/** Matches development builds, which are not deployed. */
const FOR_DEVELOPMENT = /\bNODE_ENV=development\b|--mode[\s=]+["']?development\b/

/** Returns the config files that build scripts specify, as in `webpack --config build/prod.js`. */
export function namedConfigs({ manifest: { scripts = {} }, read }: Project, command: string): string[] {
  const runs = new RegExp(`(?:^|[\\s/])${command}\\s[^&|;]*?(?:--config|-c)[\\s=]+["']?([\\w./-]+)`, 'g')
  const named = Object.entries(scripts)
    .filter(([name]) => name === command || /build|bundle|prod|release|dist/.test(name))
    .filter(([, line]) => !FOR_DEVELOPMENT.test(line))
    .flatMap(([, line]) => [...line.matchAll(runs)].map(([, path = '']) => path.replace(/^\.\//, '')))
  // Paths outside the directory belong to other projects, so they are ignored.
  return [...new Set(named)].filter((path) => !/^\/|(?:^|\/)\.\.\//.test(path) && read(path) !== undefined)
}
