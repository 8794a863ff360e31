import { ApiError, invalidParameter, notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Type } from '../../platform/wire/schema.ts'
import { isOfTeam } from '../automation-rule/rules.ts'
import { isNotified } from '../escalation-rule/rules.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import type { Draft } from '../resource/store.ts'
import { chosenTeam, TeamChoice } from './schema.ts'

/**
 * Creates a team, or updates the team with the given `team_id`. Omitted fields are not changed. `person_ids` and `emails` replace all
 * members of the team.
 */
export const teamUpsert = defineOperation({
  path: '/team/upsert',
  name: 'team:write:upsert',
  title: { en: 'Create or update a team', zh: '创建或更新团队' },
  permissions: ['Teams Manage'],
  body: Type.Object({
    /** If the id is 0 or omitted, a new team is created. */
    team_id: Type.Optional(Id),
    team_name: Type.String({ minLength: 1, maxLength: 39 }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    person_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    emails: Type.Optional(Type.Array(Type.String({ format: 'email' }), { maxItems: 1000 })),
    ref_id: Type.Optional(Type.String({ maxLength: 255 })),
    /** Whether to update an existing team with the same name. By default, the request is rejected. */
    reset_if_name_exist: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ team_id: Id, team_name: Type.String() }),
  example: { team_name: 'Checkout', description: 'Owns the checkout', person_ids: [80011] },
  async run({ caller: { account, member }, resources, now }, body) {
    const { team_id: wanted = 0, team_name, description, ref_id, person_ids, emails } = body
    const seconds = Math.floor(now() / 1000)
    return resources.change(account.id, async (draft) => {
      const { team: teams } = draft.resources
      const named = [...teams.values()].find(({ name }) => name === team_name)
      const known = wanted !== 0 ? teams.get(wanted) : body.reset_if_name_exist ? named : undefined
      if (wanted !== 0 && !known) throw notFound('team_id', wanted)
      if (named && named.team_id !== known?.team_id)
        throw invalidParameter('team_name', { en: 'Another team already has this name.', zh: '该名称已被占用。' })
      const team_id = known?.team_id ?? draft.newId('team')
      await draft.put('team', {
        ...(known ?? { creator_id: member.id, created_at: seconds }),
        ...(description !== undefined && { description }),
        ...(ref_id !== undefined && { ref_id }),
        team_id,
        name: team_name,
        updated_by: member.id,
        updated_at: seconds,
      })
      if (person_ids || emails) await setMembers(draft, team_id, idsOf(draft.resources, person_ids, emails))
      return { team_id, team_name }
    })
  },
})

/** @throws ApiError that lists the people who are not members of the account. */
function idsOf({ member: members }: Resources, ids: readonly Int64[] = [], emails: readonly string[] = []): Set<Int64> {
  const unknown = ids.find((id) => !members.has(id))
  if (unknown !== undefined)
    throw invalidParameter('person_ids', { en: `Member not found: ${unknown}.`, zh: `成员 ${unknown} 不存在。` })
  const byEmail = new Map([...members.values()].map(({ email = '', person_id }) => [email.toLowerCase(), person_id]))
  const found = emails.map((email) => {
    const id = byEmail.get(email.toLowerCase())
    if (id === undefined)
      throw invalidParameter('emails', {
        en: `No member has the email address ${email}.`,
        zh: `没有成员使用邮箱 ${email}。`,
      })
    return id
  })
  return new Set([...ids, ...found])
}

async function setMembers(draft: Draft, teamId: Int64, wanted: ReadonlySet<Int64>): Promise<void> {
  for (const member of [...draft.resources.member.values()]) {
    const { team_ids = [], person_id } = member
    if (team_ids.includes(teamId) === wanted.has(person_id)) continue
    const others = team_ids.filter((id) => id !== teamId)
    await draft.put('member', { ...member, team_ids: wanted.has(person_id) ? [...others, teamId] : others })
  }
}

/** Refuses to delete a team that a channel, schedule, automation rule or escalation rule refers to. */
export const teamDelete = defineOperation({
  path: '/team/delete',
  name: 'team:write:delete',
  title: { en: 'Delete a team', zh: '删除团队' },
  permissions: ['Teams Manage'],
  isDangerous: true,
  body: TeamChoice,
  example: { team_id: 125 },
  async run({ caller: { account }, resources }, choice) {
    await resources.change(account.id, async (draft) => {
      const { team_id } = chosenTeam(choice, draft.resources)
      const { channel: channels, schedule: schedules } = draft.resources
      const isOwner = [...channels.values(), ...schedules.values()].some((one) => one.team_id === team_id)
      const isManager = [...channels.values()].some(({ managing_team_ids }) => managing_team_ids?.includes(team_id))
      const isUsed =
        isOwner ||
        isManager ||
        (await isOfTeam(draft.transaction, account.id, team_id)) ||
        (await isNotified(draft.transaction, account.id, ({ team_ids }) => team_ids?.includes(team_id)))
      if (isUsed)
        throw new ApiError('ReferenceExist', {
          en: 'A channel, schedule, automation rule or escalation rule still refers to this team.',
          zh: '仍有协作空间、值班表、自动化规则或分派策略引用该团队。',
        })
      await setMembers(draft, team_id, new Set())
      await draft.remove('team', team_id)
    })
  },
})
