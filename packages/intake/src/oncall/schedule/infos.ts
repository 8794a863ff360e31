import { written } from '../../platform/operation.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { ScheduleItem } from './schema.ts'

/** In the requested order. Unknown ids are skipped. */
export const scheduleInfos = defineOperation({
  path: '/schedule/infos',
  name: 'schedule:read:infos',
  title: { en: 'Batch get schedules', zh: '批量查看值班表' },
  permissions: ['Schedules Read', 'Schedules Manage'],
  body: Type.Object({ schedule_ids: Type.Array(Id) }),
  data: Type.Object({ items: Type.Array(ScheduleItem) }),
  example: { schedule_ids: [2001, 2002, 2003] },
  async run({ caller: { account }, resources, now }, { schedule_ids }) {
    const { schedule: schedules } = await resources.of(account.id)
    const found = [...new Set<Int64>(schedule_ids)].map((id) => schedules.get(id))
    const known = found.filter((schedule) => schedule !== undefined)
    const { itemsJson } = await import('./items-json.ts')
    return written(['{"items":', ...(await itemsJson(known, { account, now: Math.floor(now() / 1000) })), '}'])
  },
})
