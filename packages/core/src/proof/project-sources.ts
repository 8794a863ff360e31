import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { withoutQuery } from '../files/url-path.ts'
import type { OnDisk } from './disk-sources.ts'
import { modulePath } from './tools/index.ts'

/**
 * Excludes sources that only seem to belong to the project. A bundler may keep relative names from the map of a library
 * (`../src/select.tsx`). A relative name counts only if the file exists. If none of the files exist, the project is in another directory,
 * and all names count.
 * @param isOwn whether each source belongs to the app, based on its name.
 */
export function areInProject(names: readonly string[], isOwn: readonly boolean[], { cwd, map }: OnDisk): boolean[] {
  const directories = [cwd, ...directoriesUpTo(cwd, dirname(map))]
  const isMissing = names.map((name, source) => {
    const path = isOwn[source] ? modulePath(name) : undefined
    if (path === undefined) return false
    return !directories.some((directory) => existsSync(resolve(directory, withoutQuery(path))))
  })
  const isThere = names.some((name, source) => isOwn[source] && modulePath(name) !== undefined && !isMissing[source])
  return isOwn.map((own, source) => own && !(isThere && isMissing[source]))
}

/**
 * Returns the directories between the map and the project directory. In a monorepo, module names are relative to the package that is built.
 */
function directoriesUpTo(cwd: string, directory: string): string[] {
  const found: string[] = []
  for (let at = resolve(directory); isBelow(at, cwd); at = dirname(at)) found.push(at)
  return found
}
