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
export function attachRepository(plan: Plan, finding: RepositoryFinding, input: AttachInput): Plan {
  if (!plan.uploads.some(isJavaScript)) return plan
  const attach = attacher(finding, input.directory)
  return {
    uploads: plan.uploads.map((upload) => attach(upload, input.sources?.get(upload))),
    problems: [...plan.problems, ...finding.problems],
  }
}

/** The same for one upload after the other. @param directory what bundlers name sources relative to. */
export function attacher(
  { repository }: RepositoryFinding,
  directory: string,
): (upload: SymbolUpload, sources: readonly string[] | undefined) => SymbolUpload {
  const { url, commit } = repository
  const tracked = new TrackedFiles(repository, directory)
  return (upload, sources) => {
    if (!isJavaScript(upload)) return upload
    const event = {
      ...upload.event,
      ...(url !== undefined && { git_repository_url: url }),
      ...(commit !== undefined && { git_commit_sha: commit }),
    }
    const map = upload.parts.find(({ name }) => name === 'source_map')
    if (url === undefined || commit === undefined || !map || !sources) return { ...upload, event }
    const files = tracked.among(sources, map.path)
    return { ...upload, event, ...(files.length > 0 && { repository: { url, commit, files } }) }
  }
}

/** Whether the commit belongs into it. */
export function isJavaScript({ event }: SymbolUpload): boolean {
  return event.type === 'js_sourcemap'
}
