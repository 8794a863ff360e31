import type { Plan, SymbolUpload } from '../model/plan.ts'
import type { RepositoryFinding } from './repository.ts'
import { TrackedFiles } from './tracked-files.ts'

export interface AttachInput {
  /** What bundlers name sources relative to. */
  directory: string
  /** Sources of each upload's map, where they are known; its tracked files are found among them. */
  sources?: ReadonlyMap<SymbolUpload, readonly string[]>
}

/**
 * Says in every JavaScript upload of a plan which commit it was built from: in the event, and with the tracked files among its sources
 * in the `repository` part. What is not known is left out and is one warning for the whole plan.
 */
export function attachRepository(plan: Plan, { repository, problems }: RepositoryFinding, input: AttachInput): Plan {
  if (!plan.uploads.some(isJavaScript)) return plan
  const { url, commit } = repository
  const tracked = new TrackedFiles(repository, input.directory)
  const uploads = plan.uploads.map((upload): SymbolUpload => {
    if (!isJavaScript(upload)) return upload
    const map = upload.parts.find(({ name }) => name === 'source_map')
    const sources = input.sources?.get(upload)
    const files = map && sources ? tracked.among(sources, map.path) : []
    return {
      ...upload,
      event: {
        ...upload.event,
        ...(url !== undefined && { git_repository_url: url }),
        ...(commit !== undefined && { git_commit_sha: commit }),
      },
      ...(url !== undefined && commit !== undefined && files.length > 0 && { repository: { url, commit, files } }),
    }
  })
  return { uploads, problems: [...plan.problems, ...problems] }
}

function isJavaScript({ event }: SymbolUpload): boolean {
  return event.type === 'js_sourcemap'
}
