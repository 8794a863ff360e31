import { access, constants } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileFilter, listFiles, nameBelow } from '@symup/core'
import { type Project, readProject } from './project.ts'
import type { Tool } from './tool.ts'
import { detectTools } from './tools.ts'

export interface App {
  directory: string
  tool: Tool
  evidence: string
}

/** Tools whose presence does not identify a package as an app: libraries also use them, or they are not build tools. */
const NO_SIGN = new Set(['bun', 'esbuild', 'electron', 'other'])
const SKIPPED = /^(?:node_modules|dist|build|out|coverage|\..*)$/
/** The maximum depth of apps below the root. `packages/group/apps/web` has depth 4. */
const DEPTH = 4

/** @returns undefined if the project is not a monorepo, or if the root itself is an app. */
export async function appsIn(root: Project): Promise<App[] | undefined> {
  const globs = workspacesOf(root)
  // Ignore the root's dependencies, because they are shared and do not show whether the root is an app.
  const own = detectTools({ ...root, dependencies: new Map() }).find(({ tool }) => !NO_SIGN.has(tool.id))
  if (globs === undefined || own) return undefined
  const without = (isExcluded: boolean) => globs.filter((glob) => glob.startsWith('!') === isExcluded)
  const exclude = without(true).map((glob) => glob.slice(1))
  const isMember = await fileFilter({ include: without(false), exclude }, root.cwd)
  return (await packagesBelow(root.cwd))
    .filter((directory) => isMember?.(directory))
    .flatMap((directory) => {
      const project = readProject(directory)
      const found = isLibrary(project) ? undefined : detectTools(project).find(({ tool }) => !NO_SIGN.has(tool.id))
      return found ? [{ directory: nameBelow(root.cwd, directory), ...found }] : []
    })
    .sort((a, b) => (a.directory < b.directory ? -1 : 1))
}

function workspacesOf({ manifest, read, files }: Project): string[] | undefined {
  const { workspaces } = manifest
  const listed = isTexts(workspaces) ? workspaces : (workspaces as { packages?: unknown } | undefined)?.packages
  const globs = isTexts(listed) ? listed : listIn(read('pnpm-workspace.yaml'))
  if (globs) return globs.map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/+$/, ''))
  return files.includes('nx.json') ? ['**'] : undefined
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((it) => typeof it === 'string')

/** Reads the `packages` list in `pnpm-workspace.yaml`. The list contains only strings. */
function listIn(yaml: string | undefined): string[] | undefined {
  const list = /^packages:[ \t]*(?:#.*)?\r?\n((?:[ \t]*(?:-[ \t].*|#.*)?\r?\n?)*)/m.exec(yaml ?? '')?.[1]
  return list?.split('\n').flatMap((line) => /^\s*-\s+(['"]?)([^'"#]+?)\1\s*(?:#.*)?$/.exec(line)?.[2] ?? [])
}

/** Finds packages, including Nx projects without a package.json. The returned paths are absolute. */
async function packagesBelow(root: string): Promise<string[]> {
  const enters = async (path: string) =>
    path.split('/').length <= DEPTH && !SKIPPED.test(posix.basename(path)) && (await canRead(join(root, path)))
  const files = await listFiles(root, { enters })
  const manifests = files.filter((file) => /\/(?:package|project)\.json$/.test(file))
  return [...new Set(manifests.map((file) => join(root, posix.dirname(file))))]
}

/** Repositories may contain unreadable directories, such as a container's database, which are skipped. */
const canRead = (directory: string) =>
  access(directory, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** Returns whether the package has entry points for other packages, as libraries do. */
function isLibrary({ manifest }: Project): boolean {
  return [manifest.exports, manifest.module, manifest.types, manifest.typings].some((entry) => entry !== undefined)
}
