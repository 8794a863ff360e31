import { expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const caller = useCaller({ now: () => Date.UTC(2026, 0, 21, 12) })

it('refuses a schedule that is too large for one answer, and shows a part of it', async () => {
  const start = 1_767_225_600
  const person_ids = Array.from({ length: 2000 }, (_, nth) => nth + 1)
  const groups = ['A', 'B'].map((group_name) => ({ group_name, members: [{ person_ids }] }))
  const layers = [
    { layer_name: 'M', layer_start: start, rotation_unit: 'month', rotation_value: 7, groups: [] },
    { layer_name: 'H', layer_start: start, rotation_unit: 'hour', groups },
  ]
  const { data } = await caller.post('/schedule/create', { schedule_name: 'year', layers })
  const info = (span = {}) => caller.post('/schedule/info', { schedule_id: data.schedule_id, ...span })
  expect(await info()).toMatchObject({
    status: 413,
    code: 'EntityTooLarge',
    message: /a shorter period \(start, end\)/,
  })
  expect((await info({ start, end: start + 86_400 })).data.schedule_layers[1].schedules).toHaveLength(24)
})
