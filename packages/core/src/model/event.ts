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
  /** Undefined for symbol files that are identified by id alone. */
  service?: string
  version?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** Maps each `type` to the metadata of its kind. Every `kinds/<kind>/event.ts` adds an entry. */
// biome-ignore lint/suspicious/noEmptyInterface: each kind extends the interface, so the model does not need to import the kinds.
export interface EventTypes {}

export type SymbolEvent = EventTypes[keyof EventTypes]
