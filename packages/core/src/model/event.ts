/** What the intake answers and lists artifacts under. */
export const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const
export type Platform = (typeof PLATFORMS)[number]

/**
 * The metadata of one upload, whatever its kind: what the `event` part of the request says. Field names are the wire's. Each kind adds its
 * own fields, and says so in {@link EventTypes}.
 */
export interface UploadEvent {
  type: string
  /** Version of the sending tool. */
  cli_version: string
  /** Absent for kinds that stacks find by an id alone. */
  service?: string
  version?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** The metadata of each kind by its `type`; every `kinds/<kind>/event.ts` adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the kinds fill it, so that nothing below them has to know them.
export interface EventTypes {}

/** The metadata of an upload that symup sends; `type` tells which. */
export type SymbolEvent = EventTypes[keyof EventTypes]
