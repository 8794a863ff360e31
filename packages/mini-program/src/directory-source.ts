import { basename, dirname, join, resolve } from 'node:path'
import { fileFilter, type Globs, listFiles, nameBelow, type Problem, problem } from '@symup/core'
import { decodeDataUrl, filesExcluded, listWithin, Roots, readTrailingComments } from '@symup/core/internal'
import { aboveMainPackage, MAIN_PACKAGE, MINI_PROGRAM_LIMITS, oldName, subPackageAt } from '@symup/core/mini-program'
import { t } from '@symup/core/text'
import { type Project, readProject } from './project.ts'
import type { MapSource, MapSources } from './sources.ts'

export interface DirectoryInput {
  /** The output directory of the mini program, its project directory, or an unpacked WeChat archive. */
  directory: string
  /** File names in problems are relative to this absolute path. */
  cwd: string
  /** The files to examine, as absolute paths or relative to the directory. Default: every file below the directory. */
  files?: readonly string[] | undefined
  /** Globs, relative to the mini program's output directory. */
  include?: Globs['include']
  exclude?: Globs['exclude']
  allowedRoot?: string | undefined
}

/** Reads the maps in a directory. Each map is in the directory of its script or, for uni-app, in a separate directory tree. */
export async function readDirectory({
  directory,
  cwd,
  files,
  allowedRoot,
  ...globs
}: DirectoryInput): Promise<MapSources> {
  const project = await readProject(directory, cwd, allowedRoot)
  const above = project.problems.length > 0 ? await aboveUnpacked(directory) : undefined
  const unpacked = above !== undefined
  const root = join(project.root, above ?? '')
  const problems: Problem[] = unpacked ? [] : [...project.problems]
  const found = files ? named(files, root, directory, allowedRoot) : await listed(root, allowedRoot, problems)
  const scripts = new Map(found.filter(({ name }) => name.endsWith('.js')).map(({ name, path }) => [name, path]))
  const candidates = [...found, ...(files ? [] : await separateMaps(root, allowedRoot, problems))]

  const maps = new Map<string, MapSource>()
  const isWanted = await fileFilter(globs, root)
  let leftOut = 0
  for (const { name, path } of candidates) {
    if (name.endsWith('.map.map')) problems.push(oldName(name))
    if (!name.endsWith('.js.map')) continue
    if (isWanted?.(join(root, name.slice(0, -'.map'.length))) === false) {
      leftOut++
      continue
    }
    const script = scripts.get(name.slice(0, -'.map'.length))
    // If there are no scripts at all, they were left out intentionally, so nothing is reported.
    if (scripts.size > 0 && script === undefined) {
      problems.push(
        problem('map-orphan', t`The script for this source map does not exist, so the map was not packed.`, {
          file: name,
        }),
      )
      continue
    }
    const entry = entryOf(name, project, unpacked)
    if (maps.has(entry)) continue
    maps.set(entry, { entry, file: name, content: path, ...(script !== undefined && { script }) })
  }
  for (const [name, path] of scripts) {
    const entry = entryOf(`${name}.map`, project, unpacked)
    if (maps.has(entry) || isWanted?.(path) === false) continue
    const inline = inlineMap(name, path, problems)
    if (inline) maps.set(entry, { entry, file: name, content: inline, script: path })
  }
  if (leftOut > 0) problems.push(filesExcluded(leftOut, maps.size > 0))
  return { maps: [...maps.values()], subPackages: project.subPackages, problems, close: async () => undefined }
}

/** Returns a function that reads the inline map. To save memory, packing reads the map again. */
function inlineMap(file: string, path: string, problems: Problem[]): MapSource['content'] | undefined {
  const read = () => {
    const { sourceMappingUrl = '' } = readTrailingComments(path)
    return sourceMappingUrl.startsWith('data:') ? Buffer.from(decodeDataUrl(sourceMappingUrl)) : undefined
  }
  try {
    if (read() === undefined) return undefined
  } catch (error) {
    const message = t`The inline source map cannot be decoded. ${(error as Error).message}`
    problems.push(problem('map-invalid', message, { file, severity: 'warning' }))
    return undefined
  }
  problems.push(problem('map-inline', t`The source map is inside the deployed file.`, { file }))
  return async function* () {
    yield read() ?? Buffer.alloc(0)
  }
}

interface Found {
  name: string
  path: string
}

async function listed(
  root: string,
  allowedRoot: string | undefined,
  problems: Problem[],
  rootOfLinks = allowedRoot,
): Promise<Found[]> {
  const { files, problems: found } = await listWithin(root, {
    allowedRoot: [rootOfLinks ?? [], allowedRoot ?? []].flat(),
    wanted: (name) => name.endsWith('.js.map'),
    shown: (name) => name,
  })
  problems.push(...found)
  return files.map((name) => ({ name, path: join(root, name) }))
}

function named(files: readonly string[], root: string, directory: string, allowedRoot: string | undefined): Found[] {
  const roots = new Roots([root, allowedRoot])
  return files
    .map((file) => resolve(directory, file))
    .map((path) => ({ name: nameBelow(root, path), path }))
    .filter(({ name, path }) => !name.startsWith('../') && roots.hold(path))
}

/** Finds maps that uni-app moved, for example from `dist/build/mp-weixin` to `dist/build/.sourcemap/mp-weixin`. */
async function separateMaps(root: string, allowedRoot: string | undefined, problems: Problem[]): Promise<Found[]> {
  const separate = join(dirname(root), '.sourcemap', basename(root))
  if (!new Roots([dirname(root), allowedRoot]).hold(separate)) return []
  try {
    return await listed(separate, allowedRoot, problems, dirname(root))
  } catch {
    return []
  }
}

function entryOf(name: string, { subPackages }: Project, unpacked: boolean): string {
  if (unpacked || subPackageAt(name, subPackages) !== undefined) return name
  return `${MAIN_PACKAGE}/${name}`
}

/** Returns the path from a directory to an unpacked archive in that directory. Returns undefined if there is no such archive. */
async function aboveUnpacked(directory: string): Promise<string | undefined> {
  const files = (await listFiles(directory)).slice(0, MINI_PROGRAM_LIMITS.entries)
  return files.map(aboveMainPackage).find((above) => above !== undefined)
}
