import { withoutSecrets } from '../../platform/secrets.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import type { SeededChannel } from '../channel/schema.ts'
import type { SeededDatasource } from '../datasource/schema.ts'
import type { SeededSchedule } from '../schedule/schema.ts'
import type { Seed } from './seed.ts'

/** What of an account's on-call resources no operation changes; the rest is in the database. */
export interface Resources {
  channels: ReadonlyMap<Int64, SeededChannel>
  schedules: ReadonlyMap<Int64, SeededSchedule>
  datasources: ReadonlyMap<Int64, SeededDatasource>
}

/** The resources of an account, by its id. */
export type ResourcesOf = (accountId: number) => Resources

/** Puts the resources of a seed in order. Their secrets are not kept. */
export function readResources({ accounts }: Seed): ResourcesOf {
  const known = new Map(
    accounts.map(({ account_id, channels = [], schedules = [], datasources = [] }): [number, Resources] => [
      account_id,
      {
        channels: new Map(withoutSecrets(channels).map((channel) => [channel.channel_id, channel])),
        schedules: new Map(withoutSecrets(schedules).map((schedule) => [schedule.schedule_id, schedule])),
        datasources: new Map(withoutSecrets(datasources).map((source) => [source.id, source])),
      },
    ]),
  )
  return (accountId) => {
    const found = known.get(accountId)
    if (!found) throw new Error(`no account ${accountId}`)
    return found
  }
}
