import type { RepositoryFinding } from '../git/repository.ts'
import { TrackedFiles } from '../git/tracked-files.ts'
import { mapOf, traitsOf } from '../kinds/index.ts'
import type { SymbolUpload } from '../model/plan.ts'

/**
 * Adds the commit to uploads whose kind supports it: in the event, and in the `repository` part with the tracked files
 * among the sources. Unknown values are omitted.
 * @param directory base of source names from bundlers.
 */
export function attacher(
  { repository }: RepositoryFinding,
  directory: string,
): (upload: SymbolUpload, sources: readonly string[] | undefined) => SymbolUpload {
  const { url, commit } = repository
  const tracked = new TrackedFiles(repository, directory)
  return (upload, sources) => {
    if (!traitsOf(upload.event).ships) return upload
    const event = {
      ...upload.event,
      ...(url !== undefined && { git_repository_url: url }),
      ...(commit !== undefined && { git_commit_sha: commit }),
    }
    const map = mapOf(upload)
    if (url === undefined || commit === undefined || !map || !sources) return { ...upload, event }
    const files = tracked.among(sources, map.path)
    return { ...upload, event, ...(files.length > 0 && { repository: { url, commit, files } }) }
  }
}
