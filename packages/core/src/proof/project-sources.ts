import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isBelow } from '../files/remove-file.ts'
import { withoutQuery } from '../files/url-path.ts'
import type { OnDisk } from './disk-sources.ts'
import { modulePath } from './tools/index.ts'

/**
 * Leaves out sources that only seem to be the project's: a bundler may take relative names in the map of a library (`../src/select.tsx`) as they are. Such a name counts when the file exists.
 * Where none of them exists, the project is somewhere else, and all count.
 * @param isOwn whether each source is the app's own by its name.
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

/** The directories from the map's up to the project's, because a build in a monorepo names modules relative to its own package. */
function directoriesUpTo(cwd: string, directory: string): string[] {
  const found: string[] = []
  for (let at = resolve(directory); isBelow(at, cwd); at = dirname(at)) found.push(at)
  return found
}
