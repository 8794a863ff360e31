import { ApiError, invalidParameter, noTeam, notFound } from '../../platform/errors.ts'
import { Id, type Static, Type } from '../../platform/wire/schema.ts'
import { isNotified } from '../escalation-rule/rules.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import { ScheduleSettings, type SeededSchedule } from './schema.ts'

const EXAMPLE = {
  schedule_name: 'Weekends',
  team_id: 123,
  layers: [
    {
      layer_name: 'Primary',
      layer_start: 1_767_603_600,
      rotation_unit: 'week',
      rotation_value: 1,
      groups: [{ group_name: 'A', members: [{ role_id: 1, person_ids: [80011] }] }],
    },
  ],
}

type Settings = Static<typeof ScheduleSettings>

/**
 * Callers can pass the name of the schedule in either of two fields.
 * @throws ApiError if the name is empty.
 */
function settingsOf({ name, schedule_name: given, layers, ...rest }: Settings): Partial<SeededSchedule> {
  const schedule_name = given || (name ?? given)
  if (schedule_name === '') throw invalidParameter('schedule_name')
  return {
    ...rest,
    ...(schedule_name !== undefined && { schedule_name }),
    ...(layers && { layers: layers.map(({ name, layer_name = name ?? '', ...layer }) => ({ ...layer, layer_name })) }),
  }
}

/** @throws ApiError if the team does not exist. */
function check({ team_id = 0 }: Partial<SeededSchedule>, { team: teams }: Resources): void {
  if (team_id !== 0 && !teams.has(team_id)) throw noTeam('team_id', team_id)
}

export const scheduleCreate = defineOperation({
  path: '/schedule/create',
  name: 'schedule:write:create',
  title: { en: 'Create schedule', zh: '创建值班表' },
  permissions: ['Schedules Manage'],
  body: ScheduleSettings,
  data: Type.Object({ schedule_id: Id }),
  example: EXAMPLE,
  async run({ caller: { account, member }, resources, now }, body) {
    const settings = settingsOf(body)
    const { schedule_name } = settings
    if (schedule_name === undefined) throw invalidParameter('schedule_name')
    const seconds = Math.floor(now() / 1000)
    return resources.change(account.id, async (draft) => {
      check(settings, draft.resources)
      const schedule_id = draft.newId('schedule')
      const written = { create_at: seconds, create_by: member.id, update_at: seconds, update_by: member.id }
      await draft.put('schedule', { ...settings, schedule_name, schedule_id, ...written })
      return { schedule_id }
    })
  },
})

/** Omitted fields are not changed. */
export const scheduleUpdate = defineOperation({
  path: '/schedule/update',
  name: 'schedule:write:update',
  title: { en: 'Update schedule', zh: '更新值班表' },
  permissions: ['Schedules Manage'],
  body: Type.Extended(ScheduleSettings, { schedule_id: Id }),
  example: { schedule_id: 2001, description: 'Hands over on Monday at ten' },
  async run({ caller: { account, member }, resources, now }, { schedule_id, ...body }) {
    const settings = settingsOf(body)
    await resources.change(account.id, async (draft) => {
      const schedule = draft.resources.schedule.get(schedule_id)
      if (!schedule) throw notFound('schedule_id', schedule_id)
      check(settings, draft.resources)
      const written = { update_at: Math.floor(now() / 1000), update_by: member.id }
      await draft.put('schedule', { ...schedule, ...settings, ...written, schedule_id })
    })
  },
})

/** Refuses to delete a schedule that an escalation rule refers to. */
export const scheduleDelete = defineOperation({
  path: '/schedule/delete',
  name: 'schedule:write:delete',
  title: { en: 'Delete schedules', zh: '删除值班表' },
  permissions: ['Schedules Manage'],
  isDangerous: true,
  body: Type.Object({ schedule_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }) }),
  example: { schedule_ids: [2003] },
  async run({ caller: { account }, resources }, { schedule_ids }) {
    await resources.change(account.id, async (draft) => {
      const missing = schedule_ids.find((id) => !draft.resources.schedule.has(id))
      if (missing !== undefined) throw notFound('schedule_ids', missing)
      const ids = new Set(schedule_ids.map(String))
      const isOneOf = ({ schedule_to_role_ids = {} }) => Object.keys(schedule_to_role_ids).some((id) => ids.has(id))
      if (await isNotified(draft.transaction, account.id, isOneOf))
        throw new ApiError('ReferenceExist', {
          en: 'An escalation rule still notifies one of these schedules.',
          zh: '仍有分派策略通知其中的值班表。',
        })
      for (const id of new Set(schedule_ids)) await draft.remove('schedule', id)
    })
  },
})
