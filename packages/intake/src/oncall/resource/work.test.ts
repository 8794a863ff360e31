import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })
const RULE = { prompt: 'What broke?', cron_expr: '0 9 * * *' }
const HOW_MANY = 20

afterEach(() => {
  vi.restoreAllMocks()
})

it.each([
  ['/channel/list', { query: 'NOT THERE' }],
  ['/schedule/list', { query: 'NOT THERE' }],
  ['/team/list', { query: 'NOT THERE' }],
  ['/member/list', { query: 'NOT THERE' }],
  ['/safari/automation/rule/list', { keyword: 'NOT THERE' }],
  ['/incident/list', { query: 'NOT THERE', start_time: 0, end_time: 4e9 }],
])('%s reads the words it looks for once, however much it looks at', async (path, filter) => {
  for (let nth = 0; nth < 3; nth++) {
    await intake.call('/safari/automation/rule/create', { ...RULE, name: `Rule ${nth}` })
    await intake.call('/incident/create', { incident_severity: 'Info', title: `Incident ${nth}` })
  }
  const lower = vi.spyOn(String.prototype, 'toLowerCase')
  const { data } = await intake.call(path, filter)
  const ofWords = lower.mock.contexts.filter((text) => String(text) === 'NOT THERE')
  expect(data.total).toBe(0)
  expect(ofWords).toHaveLength(1)
})

it.each([
  ['/channel/list', {}],
  ['/schedule/list', {}],
  ['/safari/automation/rule/list', {}],
  ['/incident/list', { start_time: 0, end_time: 4e9 }],
])('%s does not walk along the teams it is asked for, for each of what it looks at', async (path, filter) => {
  const team_ids = Array.from({ length: 900 }, (_, nth) => 1_000_000 + nth)
  const includes = vi.spyOn(Array.prototype, 'includes')
  expect((await intake.call(path, { ...filter, team_ids })).data.total).toBe(0)
  expect(includes.mock.contexts.filter((list) => (list as unknown[]).length === team_ids.length)).toEqual([])
})

it('a change does not read again what is known', async () => {
  const make = (nth: number) => intake.call('/channel/create', { team_id: 123, channel_name: `Channel ${nth}` })
  for (let nth = 0; nth < HOW_MANY; nth++) await make(nth)
  const parse = vi.spyOn(JSON, 'parse')
  const { status } = await make(HOW_MANY)
  expect(status).toBe(200)
  expect(parse.mock.calls.length).toBeLessThan(HOW_MANY)
})

it('what a refused change had begun is not seen', async () => {
  const before = await intake.call('/team/list', {})
  const { error } = await intake.call('/team/upsert', { team_name: 'Half', person_ids: [80011, 1] })
  expect(error?.code).toBe('InvalidParameter')
  expect((await intake.call('/team/list', {})).data).toEqual(before.data)
})
