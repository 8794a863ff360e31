import type { SeededMember, SeededTeam } from '../../platform/accounts/seeded-account.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import type { SeededChannel } from '../channel/schema.ts'
import type { SeededDatasource } from '../datasource/schema.ts'
import type { SeededSchedule } from '../schedule/schema.ts'
import type { Seed } from '../seed/seed.ts'

/** Resources are stored in the seed format. */
export interface Documents {
  team: SeededTeam
  member: SeededMember
  channel: SeededChannel
  schedule: SeededSchedule
  datasource: SeededDatasource
}

export type Document = Documents[ResourceKind]

export type Resources = { readonly [K in ResourceKind]: ReadonlyMap<Int64, Documents[K]> }

export function idOf(kind: ResourceKind, document: Document): Int64 {
  return (document as unknown as Record<string, Int64>)[ID_FIELDS[kind]] ?? 0
}

const ID_FIELDS: Readonly<Record<ResourceKind, string>> = {
  team: 'team_id',
  member: 'person_id',
  channel: 'channel_id',
  schedule: 'schedule_id',
  datasource: 'id',
}

type SeededAccount = Seed['accounts'][number]

export function seededDocuments(account: SeededAccount): { [K in ResourceKind]: readonly Documents[K][] } {
  const { teams = [], members, channels = [], schedules = [], datasources = [] } = account
  return { team: teams, member: members, channel: channels, schedule: schedules, datasource: datasources }
}

export function seededResources(account: SeededAccount): Resources {
  const documents = seededDocuments(account)
  return resourcesOf(
    (Object.keys(documents) as ResourceKind[]).flatMap((kind) =>
      documents[kind].map((document) => ({ kind, document: withoutSecrets<Document>(document) })),
    ),
  )
}

export function resourcesOf(documents: Iterable<{ kind: ResourceKind; document: Document }>): Resources {
  const maps = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, new Map<Int64, Document>()]))
  for (const { kind, document } of documents) maps[kind]?.set(idOf(kind, document), document)
  return maps as unknown as Resources
}
