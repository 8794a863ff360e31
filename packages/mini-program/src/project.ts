import { join, resolve } from 'node:path'
import { type Problem, problem } from '@symup/core'
import { Roots } from '@symup/core/internal'
import { readAppJson, readJsonFile } from '@symup/core/mini-program'
import { t } from '@symup/core/text'

/** A mini program's output directory and sub-packages. */
export interface Project {
  /** The directory that contains `app.json`. Absolute. */
  root: string
  /** Roots of the sub-packages, including independent ones, relative, without slashes at the ends. */
  subPackages: string[]
  /** The appid in the project file next to or above `app.json`, if it has one. */
  appid?: string
  /** Name of the project file, if there is one. */
  projectFile?: string
  problems: Problem[]
}

/** The hosts' project files, which contain the output directory: WeChat, Alipay, ByteDance, Baidu, QQ. */
const PROJECT_FILES = [
  'project.config.json',
  'mini.project.json',
  'project.tt.json',
  'project.swan.json',
  'project.qq.json',
]

/** Placeholder appids of WeChat's, Alipay's and ByteDance's tools. */
const GUESTS: ReadonlySet<unknown> = new Set(['', 'touristappid', 'testAppId'])

/**
 * Finds the built mini program in a directory: the directory itself, or the `miniprogramRoot` of its project file. The project file may not
 * point outside the directory and the allowed root. Without an `app.json` everything counts as main package, which is reported as a
 * problem.
 */
export async function readProject(directory: string, allowedRoot?: string): Promise<Project> {
  const roots = new Roots([directory, allowedRoot])
  const places = [directory]
  let appid: string | undefined
  let projectFile: string | undefined
  let unreadable: string | undefined
  for (const name of PROJECT_FILES) {
    const file = await readJsonFile(join(directory, name))
    if (typeof file !== 'object') continue
    projectFile ??= name
    if (typeof file.miniprogramRoot === 'string') {
      const root = resolve(directory, file.miniprogramRoot)
      if (roots.hold(root)) places.push(root)
    }
    if (typeof file.appid === 'string' && !GUESTS.has(file.appid)) appid ??= file.appid
  }
  const found = { ...(appid !== undefined && { appid }), ...(projectFile !== undefined && { projectFile }) }
  for (const root of places) {
    const app = await readAppJson(root)
    if (app === 'unreadable') unreadable ??= root
    if (typeof app !== 'object') continue
    const subPackages = rootsOf(app)
    return { root, subPackages, ...found, problems: [] }
  }
  const missing =
    unreadable === undefined
      ? problem('app-json-missing', t`${directory} has no app.json.`)
      : problem('app-json-missing', t`${join(unreadable, 'app.json')} is not JSON, so the sub-packages are unknown.`, {
          fix: t`Correct it and pack again.`,
        })
  return { root: unreadable ?? directory, subPackages: [], ...found, problems: [missing] }
}

/** Both spellings are in use. If both exist, WeChat uses both. */
function rootsOf(app: Record<string, unknown>): string[] {
  const listed = [app.subPackages, app.subpackages].flatMap((list) => (Array.isArray(list) ? list : []))
  const roots = listed.flatMap((item: unknown) => {
    const root = (item as { root?: unknown } | null)?.root
    return typeof root === 'string' ? [root.replace(/^(?:\.?\/)+|\/+$/g, '')] : []
  })
  return [...new Set(roots)].filter((root) => root !== '' && !root.split('/').includes('..')).sort()
}

/**
 * The appid of an upload: the given one, or for `'auto'` the first one found in the directories' project files. Without one, the archive
 * matches any mini program, which is a warning.
 */
export async function appidOf(
  given: string | undefined,
  directories: readonly string[],
): Promise<{ appid?: string; problems: Problem[] }> {
  if (given !== 'auto') return { ...(given !== undefined && { appid: given }), problems: [] }
  let written: string | undefined
  for (const directory of directories) {
    const { appid, projectFile } = await readProject(directory)
    if (appid !== undefined) return { appid, problems: [] }
    written ??= projectFile
  }
  const message = t`appid is 'auto', but no project file in ${directories[0] ?? '.'} contains one. The archive is uploaded without it, and replaces any other archive of this release without an appid.`
  const fix = written === undefined ? t`Set the appid explicitly.` : t`Set the appid explicitly, or in ${written}.`
  return { problems: [problem('inference-failed', message, { severity: 'warning', fix })] }
}
