import { extname, join, resolve } from 'node:path'
import { listFiles, type Problem, problem, shownPath } from '@symup/core'
import { Roots } from '@symup/core/internal'
import { readAppJson, readJsonFile } from '@symup/core/mini-program'
import { t } from '@symup/core/text'

export interface Project {
  /** The absolute path of the directory that contains `app.json` or, for mini games, `game.json`. */
  root: string
  /** The relative paths of all sub-packages, including independent ones, without leading or trailing slashes. */
  subPackages: string[]
  problems: Problem[]
}

/** The project files of WeChat, Alipay, ByteDance, Baidu and QQ, keyed by the file extension of their templates. */
const PROJECT_FILES: Readonly<Record<string, string>> = {
  '.wxml': 'project.config.json',
  '.axml': 'mini.project.json',
  '.ttml': 'project.tt.json',
  '.swan': 'project.swan.json',
  '.qml': 'project.qq.json',
}

/** Placeholder appids that the tools of WeChat, Alipay and ByteDance write. */
const GUESTS: ReadonlySet<unknown> = new Set(['', 'touristappid', 'testAppId'])

/**
 * Finds the built mini program, which is in the directory itself or in the `miniprogramRoot` from its project file. The `miniprogramRoot`
 * must be in the directory or in the allowed root. If there is no `app.json`, a problem is reported and all files are assumed to belong to
 * the main package.
 * @param cwd the directory to which file names in problems are relative.
 */
export async function readProject(directory: string, cwd: string, allowedRoot?: string): Promise<Project> {
  const roots = new Roots([directory, allowedRoot])
  const places = [directory]
  let unreadable: string | undefined
  for (const { miniprogramRoot } of await projectFiles(directory)) {
    const root = resolve(directory, withSlashes(miniprogramRoot ?? ''))
    if (roots.hold(root)) places.push(root)
  }
  for (const root of places) {
    const app = (await readAppJson(root)) ?? (await readJsonFile(join(root, 'game.json')))
    if (app === 'unreadable') unreadable ??= root
    if (typeof app !== 'object') continue
    const subPackages = rootsOf(app)
    return { root, subPackages, problems: [] }
  }
  const missing =
    unreadable === undefined
      ? problem('app-json-missing', t`No app.json was found in ${shownPath(directory, cwd) || '.'}.`)
      : problem(
          'app-json-missing',
          t`${shownPath(join(unreadable, 'app.json'), cwd)} is not valid JSON, so the sub-packages are unknown.`,
          {
            fix: t`Correct the file, and pack the archive again.`,
          },
        )
  return { root: unreadable ?? directory, subPackages: [], problems: [missing] }
}

interface ProjectFile {
  name: string
  appid?: string
  miniprogramRoot?: string
}

async function projectFiles(directory: string): Promise<ProjectFile[]> {
  const files: ProjectFile[] = []
  for (const name of Object.values(PROJECT_FILES)) {
    const file = await readJsonFile(join(directory, name))
    if (typeof file !== 'object') continue
    const { appid, miniprogramRoot } = file
    files.push({
      name,
      ...(typeof appid === 'string' && !GUESTS.has(appid) && { appid }),
      ...(typeof miniprogramRoot === 'string' && { miniprogramRoot }),
    })
  }
  return files
}

/** Replaces backslashes, which tools on Windows may write. */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Returns the roots of the sub-packages, which may be listed in `subPackages` or `subpackages`. If both exist, WeChat uses both lists. */
function rootsOf(app: Record<string, unknown>): string[] {
  const listed = [app.subPackages, app.subpackages].flatMap((list) => (Array.isArray(list) ? list : []))
  const roots = listed.flatMap((item: unknown) => {
    const root = (item as { root?: unknown } | null)?.root
    return typeof root === 'string' ? [withSlashes(root).replace(/^(?:\.?\/)+|\/+$/g, '')] : []
  })
  return [...new Set(roots)].filter((root) => root !== '' && !root.split('/').includes('..')).sort()
}

/**
 * Determines the appid. For `'auto'`, the first appid in the project files of the directories is used. A project may contain one file for
 * each host, so only the file for the output's host is used. If no appid is found, a warning is reported, because an archive without an
 * appid matches any mini program.
 * @param directories the directories to search. The output comes first and the project last.
 */
export async function appidOf(
  given: string | undefined,
  directories: readonly string[],
): Promise<{ appid?: string; problems: Problem[] }> {
  if (given !== 'auto') return { ...(given !== undefined && { appid: given }), problems: [] }
  const outputs = new Set<string>()
  for (const directory of directories) if (await readAppJson(directory)) outputs.add(directory)
  const own = await fileOfHost(outputs)
  let written: string | undefined
  for (const directory of directories) {
    for (const { name, appid } of await projectFiles(directory)) {
      // Taro writes a project.config.json to the output for every host.
      if (own !== undefined && name !== own && !outputs.has(directory)) continue
      if (appid !== undefined) return { appid, problems: [] }
      written = name
    }
  }
  const output = shownPath(directories[0] ?? '', directories.at(-1) ?? '') || '.'
  const message = t`appid is 'auto', but no project file in ${output} contains an appid. The archive is uploaded without an appid and replaces any other archive that was uploaded for this release without an appid.`
  const fix =
    written === undefined ? t`Set the appid explicitly.` : t`Set the appid explicitly, or add the appid to ${written}.`
  return { problems: [problem('inference-failed', message, { severity: 'warning', fix })] }
}

async function fileOfHost(outputs: ReadonlySet<string>): Promise<string | undefined> {
  for (const output of outputs)
    for (const file of await listFiles(output)) {
      const found = PROJECT_FILES[extname(file)]
      if (found !== undefined) return found
    }
  return undefined
}
