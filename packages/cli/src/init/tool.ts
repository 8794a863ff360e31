import { t } from '@symup/core/text'
import type { Project } from './project.ts'

/** A file that init writes. */
export interface Change {
  /** Relative to the project directory. */
  path: string
  /** Its text now; absent where it is new. */
  before?: string
  after: string
}

/** What a project needs so that its builds upload. */
export interface Setup {
  /** npm packages that the build needs. */
  packages: readonly string[]
  changes: readonly Change[]
  /** For `symup.json`, where the build tool does not say where its output is deployed. */
  minifiedPathPrefix?: string
  /** The build itself knows service and version, as the app reports them. */
  knowsRelease?: boolean
  /** What is left to do by hand: why, and the lines. */
  byHand?: string
  /** Said at the end. */
  notes?: readonly string[]
}

/** A change, unless the file stays as it is or cannot be changed. */
export function changeOf(path: string, before: string | undefined, after: string | undefined): Change[] {
  return after === undefined || after === before ? [] : [{ path, ...(before !== undefined && { before }), after }]
}

/** One file of a setup. */
export interface Edit {
  path: string
  /** Its new text; undefined where a program cannot change it. */
  change(before: string): string | undefined
  /** Its text where there is no such file. Default: it is changed by hand. */
  made?: string | undefined
  /** What to do by hand where a program cannot. */
  byHand: string
}

/** The changes of several files, with what is left to do by hand. */
export function edited({ read }: Project, edits: readonly Edit[]): Pick<Setup, 'changes' | 'byHand'> {
  const done = edits.map(({ path, change, made, byHand }) => {
    const before = read(path)
    const after = before === undefined ? made : change(before)
    return { changes: changeOf(path, before, after), byHand: after === undefined ? [byHand] : [] }
  })
  const byHand = done.flatMap((it) => it.byHand).join('\n\n')
  return { changes: done.flatMap(({ changes }) => changes), ...(byHand !== '' && { byHand }) }
}

/** A build tool or framework that init knows. */
export interface Tool {
  /** For `--tool`. */
  id: string
  name: string
  /** What in the project says that this is it; undefined where nothing does. */
  evidence(project: Project): string | undefined
  setUp(project: Project): Setup
}

/**
 * Where the output of a project is deployed that a build tool knows nothing of. An extension of VS Code and a plugin of Obsidian are installed in another directory on each machine, and
 * what runs on Node has stacks that name its directory on the server.
 * @param builds what says how it is built: a config, a build script or commands.
 */
export function usualPlace(project: Project, builds: string): string {
  return isInstalled(project) || isForNode(builds) ? 'app:///' : '/'
}

const platformIs = (names: string) => new RegExp(`\\b(?:platform|target)['"]?\\s*[:=]\\s*\\[?\\s*['"]?(?:${names})`)
const [NODE, BROWSER] = [platformIs('(?:async-)?(?:node|bun)|electron-(?:main|preload)'), platformIs('browser|web\\b')]
const commandIs = (names: string) => new RegExp(`(?:^|[\\s/&;|])(?:${names})(?=$|[\\s&;|])`)
/** Commands that compile each file by itself, for Node or as a library. */
const COMPILERS = commandIs('tsc|tsup|tsdown|swc|pkgroll')
/** It makes programs for Node alone, such as actions of GitHub, which nothing in package.json starts. */
const NCC = commandIs('ncc')

/** Of several builds one may be for browsers without saying so. */
function isForNode(builds: string): boolean {
  return NODE.test(builds) && !BROWSER.test(builds) && (builds.match(/\bentry(?:points)?['"]?\s*:/gi) ?? []).length < 2
}

/** Whether a project that no bundler builds is a program for Node: compiled, and started by it or installed as a command. */
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

/** The first file of the project directory with such a name. */
export function fileLike(project: Project, name: RegExp): string | undefined {
  return project.files.find((file) => name.test(file))
}

/** The first of the npm dependencies that the project has. */
export function dependency({ dependencies }: Project, ...names: string[]): string | undefined {
  const found = names.find((name) => dependencies.has(name))
  return found === undefined ? undefined : t`${found} in package.json`
}

/** A config file of the tool: its name, with any of the usual extensions. */
export function configFile(project: Project, stem: string): string | undefined {
  return fileLike(project, new RegExp(`^${stem.replaceAll('.', '\\.')}\\.config\\.[cm]?[jt]s$`))
}

/** The name for a config file in ESM that is not there yet. */
export function newConfigName({ manifest }: Project, stem: string): string {
  return `${stem}.config.${manifest.type === 'module' ? 'js' : 'mjs'}`
}

/** A script that builds for development: nothing of it is deployed. */
const FOR_DEVELOPMENT = /\bNODE_ENV=development\b|--mode[\s=]+["']?development\b/

/** Config files that the scripts which build, or have the tool's own name, name for a tool: `webpack --config build/prod.js`. */
export function namedConfigs({ manifest: { scripts = {} }, read }: Project, command: string): string[] {
  const runs = new RegExp(`(?:^|[\\s/])${command}\\s[^&|;]*?(?:--config|-c)[\\s=]+["']?([\\w./-]+)`, 'g')
  const named = Object.entries(scripts)
    .filter(([name]) => name === command || /build|bundle|prod|release|dist/.test(name))
    .filter(([, line]) => !FOR_DEVELOPMENT.test(line))
    .flatMap(([, line]) => [...line.matchAll(runs)].map(([, path = '']) => path.replace(/^\.\//, '')))
  // What stands elsewhere is another project's.
  return [...new Set(named)].filter((path) => !/^\/|(?:^|\/)\.\.\//.test(path) && read(path) !== undefined)
}
