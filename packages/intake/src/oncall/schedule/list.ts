import { notFound } from '../../platform/errors.ts'
import { written } from '../../platform/operation.ts'
import { Id, Instant, Optional, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { ScheduleItem } from './schema.ts'
import { spanOf } from './span.ts'

/** Newest first. With `start` and `end`, turns are computed for that span. */
export const scheduleList = defineOperation({
  path: '/schedule/list',
  name: 'schedule:read:list',
  title: { en: 'List schedules', zh: '查看值班表列表' },
  isBodyOptional: true,
  body: Optional({
    p: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    /** Part of the name or the description. */
    query: Type.String(),
    is_my_team: Type.Boolean(),
    /** Created by the caller, or of the caller's teams. */
    is_my_manage: Type.Boolean(),
    team_ids: Type.Array(Id),
    /** Unix seconds, at most 45 days apart. */
    start: Instant,
    end: Instant,
  }),
  data: Type.Object({ items: Type.Array(ScheduleItem), total: Type.Integer() }),
  example: { p: 1, limit: 10, query: 'Platform' },
  async run({ caller: { account, member }, resources, now }, { p = 1, limit = 10, ...filter }) {
    const { query = '' } = filter
    const teams = new Set(filter.team_ids)
    const span = spanOf(filter.start, filter.end)
    const part = query.toLowerCase()
    const found = [...(await resources.of(account.id)).schedule.values()]
      .filter(({ schedule_name, description = '', team_id = 0, create_by = 0 }) => {
        if (!`${schedule_name}\n${description}`.toLowerCase().includes(part)) return false
        if (teams.size > 0 && !teams.has(team_id)) return false
        if ((filter.is_my_team || filter.is_my_manage) && !member.teamIds.has(team_id)) return false
        return !filter.is_my_manage || create_by === member.id
      })
      .sort((a, b) => (b.create_at ?? 0) - (a.create_at ?? 0) || (a.schedule_id < b.schedule_id ? 1 : -1))
    const page = found.slice((p - 1) * limit, p * limit)
    const { itemsJson } = await import('./items-json.ts')
    const items = await itemsJson(page, { account, now: Math.floor(now() / 1000), span })
    return written(['{"items":', ...items, `,"total":${found.length}}`])
  },
})

/** With `start` and `end`, turns are computed for that span. */
export const scheduleInfo = defineOperation({
  path: '/schedule/info',
  name: 'schedule:read:info',
  title: { en: 'Get schedule info', zh: '查看值班表' },
  permissions: ['Schedules Read', 'Schedules Manage'],
  body: Type.Object({ schedule_id: Id, start: Type.Optional(Instant), end: Type.Optional(Instant) }),
  data: ScheduleItem,
  example: { schedule_id: 2001, start: 1_767_225_600, end: 1_767_830_400 },
  async run({ caller: { account }, resources, now }, { schedule_id, start, end }) {
    const span = spanOf(start, end)
    const schedule = (await resources.of(account.id)).schedule.get(schedule_id)
    if (!schedule) throw notFound('schedule_id', schedule_id)
    const { itemJson } = await import('./items-json.ts')
    return written(await itemJson(schedule, { account, now: Math.floor(now() / 1000), span }))
  },
})
