/** The platforms that the intake uses to group artifacts. */
export const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const
export type Platform = (typeof PLATFORMS)[number]

/**
 * The metadata of one upload, which is the `event` part of the request. Field names come from the protocol. Each kind adds its own fields
 * in {@link EventTypes}.
 */
export interface UploadEvent {
  type: string
  /** The version of the sending tool. */
  cli_version: string
  /** Undefined for kinds of symbol files that stack traces identify by id alone. */
  service?: string
  version?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** The metadata of each kind by its `type`. Every `kinds/<kind>/event.ts` adds the metadata of its kind. */
// biome-ignore lint/suspicious/noEmptyInterface: each kind extends the interface, so the model does not need to import the kinds.
export interface EventTypes {}

export type SymbolEvent = EventTypes[keyof EventTypes]
