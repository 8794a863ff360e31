import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { calculate } from './who-is-on-call.ts'

const caller = useCaller({ now: () => Date.UTC(2026, 0, 21, 12) })

it('others are answered while many turns are calculated', async () => {
  const layer = {
    layer_name: 'L',
    layer_start: 1_767_225_600,
    rotation_unit: 'hour',
    groups: [{ group_name: 'G', members: [] }],
  }
  for (let nth = 0; nth < 20; nth++)
    await caller.post('/schedule/create', { schedule_name: `s${nth}`, layers: [layer, layer, layer] })
  const answered: string[] = []
  const note = (name: string) => (answer: { status: number }) => answered.push(`${name} ${answer.status}`)
  const start = layer.layer_start
  const list = caller.post('/schedule/list', { limit: 20, start, end: start + 45 * 86_400 }).then(note('list'))
  await new Promise((go) => setTimeout(go, 20))
  await Promise.all([list, caller.post('/channel/list', {}).then(note('other'))])
  expect(answered).toEqual(['other 200', 'list 200'])
})

describe('a year by the hour', () => {
  const yearly = (people: number, layers: number) => ({
    schedule_name: 'year',
    layers: [
      { layer_name: 'M', layer_start: 1_767_225_600, rotation_unit: 'month', rotation_value: 7, groups: [] },
      ...Array.from({ length: layers }, (_, nth) => ({
        layer_name: `H${nth}`,
        layer_start: 1_767_225_600,
        rotation_unit: 'hour',
        groups: ['A', 'B'].map((group_name) => ({
          group_name,
          members: [{ person_ids: Array.from({ length: people }, (_, nth) => nth + 1) }],
        })),
      })),
    ],
  })
  const ask = async (people: number, layers = 1) => {
    const { data } = await caller.post('/schedule/create', yearly(people, layers))
    return (span = {}) => caller.post('/schedule/info', { schedule_id: data.schedule_id, ...span })
  }

  it('lets others work while it is calculated and written', async () => {
    // Enough of it for more than eight pieces on any machine.
    const info = await ask(1, 4)
    await info()
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    count()
    const { data } = await info()
    isDone = true
    expect(data.schedule_layers[1].schedules.length).toBeGreaterThan(8000)
    expect(data.layer_schedules).toEqual(data.schedule_layers)
    expect(data.final_schedule.schedules.length).toBeGreaterThan(8000)
    expect(turns).toBeGreaterThan(8)
  })

  it('is refused where it is more than one answer may have', async () => {
    const info = await ask(2000)
    expect(await info()).toMatchObject({ status: 413, code: 'EntityTooLarge', message: /shorter time: start and end/ })
    const start = 1_767_225_600
    expect((await info({ start, end: start + 86_400 })).data.schedule_layers[1].schedules).toHaveLength(24)
  })
})

it('a schedule of a year of hours costs about as much as it has turns', async () => {
  const hour = 3600
  const start = Date.UTC(2026, 0, 5) / 1000
  const groups = ['A', 'B', 'C'].map((group_name, nth) => {
    return { group_name, members: [{ role_id: 1, person_ids: [nth + 1] }] }
  })
  const restrict_periods = Array.from({ length: 50 }, (_, nth) => {
    return { restrict_start: nth * 1700, restrict_end: nth * 1700 + 900 }
  })
  const layer = { layer_name: 'L', layer_start: start, groups }
  const hourly = { ...layer, rotation_unit: 'hour' as const, restrict_mode: 1 as const, restrict_periods }
  const yearly = { ...layer, rotation_unit: 'month' as const, rotation_value: 12, weight: -1 }
  const layers = [{ ...hourly, weight: 1 }, { ...hourly, weight: 2 }, yearly]
  let turns = 0
  const seconds = await cpuSeconds(() => {
    const steps = calculate({ schedule_id: 1, schedule_name: 's', layers }, 'UTC', start + hour)
    let step = steps.next()
    while (!step.done) step = steps.next()
    turns = step.value.final.length
  })
  expect(turns).toBeGreaterThan(20_000)
  expect(seconds).toBeLessThan(4)
})
