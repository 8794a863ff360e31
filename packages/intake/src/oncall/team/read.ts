import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, OneOf, Optional, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { chosenTeam, personsOf, TeamChoice, TeamItem, toItem } from './schema.ts'

export const teamList = defineOperation({
  path: '/team/list',
  name: 'team:read:list',
  title: { en: 'List teams', zh: '查看团队列表' },
  isBodyOptional: true,
  body: Optional({
    p: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    orderby: OneOf(['created_at', 'updated_at', 'team_name']),
    asc: Type.Boolean(),
    person_id: Id,
    query: Type.String(),
  }),
  data: Type.Object({ p: Type.Integer(), limit: Type.Integer(), total: Type.Integer(), items: Type.Array(TeamItem) }),
  example: { p: 1, limit: 20 },
  async run({ caller: { account }, resources }, { p = 1, limit = 20, ...filter }) {
    const { orderby = 'created_at', asc = false, person_id = 0, query = '' } = filter
    const owned = await resources.of(account.id)
    const teams = [...owned.team.values()].map((team) => toItem(team, account, owned))
    const part = query.toLowerCase()
    const found = teams
      .filter(({ team_name, person_ids }) => {
        return team_name.toLowerCase().includes(part) && (person_id === 0 || person_ids.includes(person_id))
      })
      .sort((a, b) => {
        const order = orderby === 'team_name' ? a.team_name.localeCompare(b.team_name, 'en') : a[orderby] - b[orderby]
        return order || (a.team_id < b.team_id ? -1 : 1)
      })
    if (!asc) found.reverse()
    return { p, limit, total: found.length, items: found.slice((p - 1) * limit, p * limit) }
  },
})

/** Returns teams in the requested order and skips unknown ids. */
export const teamInfos = defineOperation({
  path: '/team/infos',
  name: 'team:read:infos',
  title: { en: 'Batch get teams', zh: '批量查看团队' },
  body: Type.Object({ team_ids: Type.Array(Id, { maxItems: 100 }) }),
  data: Type.Object({
    items: Type.Array(Type.Object({ team_id: Id, team_name: Type.String(), person_ids: Type.Array(Id) })),
  }),
  example: { team_ids: [123, 124] },
  async run({ caller: { account }, resources }, { team_ids }) {
    const owned = await resources.of(account.id)
    const found = [...new Set<Int64>(team_ids)].flatMap((id) => owned.team.get(id) ?? [])
    const items = found.map(({ team_id, name }) => ({
      team_id,
      team_name: name,
      person_ids: personsOf(owned, team_id),
    }))
    return { items }
  },
})

export const teamInfo = defineOperation({
  path: '/team/info',
  name: 'team:read:info',
  title: { en: 'Get team detail', zh: '查看团队' },
  body: TeamChoice,
  data: TeamItem,
  example: { team_id: 123 },
  async run({ caller: { account }, resources }, choice) {
    const owned = await resources.of(account.id)
    return toItem(chosenTeam(choice, owned), account, owned)
  },
})
