import { invalidParameter, notFound } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Instant, Optional, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { ScheduleItem } from './schema.ts'
import type { Span } from './spans.ts'

const MAX_SECONDS = 45 * 86_400
/** JavaScript dates are limited to the year 275760. */
const LAST_YEAR = Date.UTC(275760, 0) / 1000

/** @throws ApiError if the time span ends before it starts, exceeds 45 days, or is outside the supported range of dates. */
function spanOf(start: number | undefined, end: number | undefined): Span | undefined {
  if (!start || !end) return undefined
  if (end <= start) throw invalidParameter('end', { en: 'The time must be after start.', zh: '必须晚于 start。' })
  if (end - start > MAX_SECONDS)
    throw invalidParameter('end', {
      en: 'The time must be at most 45 days after start.',
      zh: '与 start 相隔不能超过 45 天。',
    })
  if (end > LAST_YEAR)
    throw invalidParameter('end', {
      en: 'The time is out of range. Specify the time in seconds.',
      zh: '单位为秒，且超出了日历的范围。',
    })
  return { start, end }
}

/** Returns schedules in the requested order and skips unknown ids. */
export const scheduleInfos = defineOperation({
  path: '/schedule/infos',
  name: 'schedule:read:infos',
  title: { en: 'Batch get schedules', zh: '批量查看值班表' },
  permissions: ['Schedules Read', 'Schedules Manage'],
  body: contracted<{ schedule_ids: Int64[] }>('ScheduleIDsRequest'),
  data: contracted('ScheduleSelfResponse'),
  example: { schedule_ids: [2001, 2002, 2003] },
  async run({ caller: { account }, resources, now }, { schedule_ids }) {
    const { schedule: schedules } = await resources.of(account.id)
    const found = [...new Set<Int64>(schedule_ids)].map((id) => schedules.get(id))
    const known = found.filter((schedule) => schedule !== undefined)
    const { itemsOf } = await import('./item.ts')
    return { items: await itemsOf(known, { account, now: Math.floor(now() / 1000) }) }
  },
})

export const scheduleList = defineOperation({
  path: '/schedule/list',
  name: 'schedule:read:list',
  title: { en: 'List schedules', zh: '查看值班表列表' },
  isBodyOptional: true,
  body: Optional({
    p: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    /** Part of a name or description. */
    query: Type.String(),
    is_my_team: Type.Boolean(),
    /** Whether to return only schedules that the caller created or that belong to the caller's teams. */
    is_my_manage: Type.Boolean(),
    team_ids: Type.Array(Id),
    /** Unix timestamp in seconds. `start` and `end` can be at most 45 days apart. */
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
    const { itemsOf } = await import('./item.ts')
    const items = await itemsOf(page, { account, now: Math.floor(now() / 1000), span })
    return { items, total: found.length }
  },
})

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
    const { itemOf } = await import('./item.ts')
    return itemOf(schedule, { account, now: Math.floor(now() / 1000), span })
  },
})
