import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })
const NAMES = ['first', 'second', 'third', 'fourth']
const rule = { prompt: 'What broke?', cron_expr: '0 9 * * *' }
const escalation = {
  channel_id: 1001,
  template_id: '6321aad26c12104586a88916',
  priority: 9,
  layers: [{ target: { person_ids: [80011], by: { follow_preference: true } } }],
}

it.each([
  ['/team/upsert', {}, 'team_name', '/team/list', {}],
  ['/channel/create', { team_id: 123 }, 'channel_name', '/channel/list', { orderby: 'created_at' }],
  ['/schedule/create', {}, 'schedule_name', '/schedule/list', {}],
  ['/safari/automation/rule/create', rule, 'name', '/safari/automation/rule/list', {}],
  ['/incident/create', { incident_severity: 'Info' }, 'title', '/incident/list', { start_time: 0, end_time: 4e9 }],
])(
  'lists the newest first if %s created several objects at the same time',
  async (path, fields, name, list, filter) => {
    intake.setTime(new Date('2030-01-01T00:00:00Z'))
    for (const each of NAMES) await intake.call(path, { ...fields, [name]: each })
    expect(await listed(list, filter, name)).toEqual([...NAMES].reverse())
  },
)

it('lists escalation rules with the same priority in order of creation', async () => {
  for (const rule_name of NAMES) await intake.call('/channel/escalate/rule/create', { ...escalation, rule_name })
  expect(await listed('/channel/escalate/rule/list', { channel_id: 1001 }, 'rule_name')).toEqual(NAMES)
})

async function listed(path: string, filter: object, name: string): Promise<string[]> {
  const { data } = await intake.call(path, filter)
  return data.items.map((item: Record<string, string>) => item[name]).filter((one: string) => NAMES.includes(one))
}
