import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })

it.each([
  ['/channel/list', 'query'],
  ['/schedule/list', 'query'],
  ['/team/list', 'query'],
  ['/member/list', 'query'],
  ['/safari/automation/rule/list', 'keyword'],
  ['/incident/list', 'query'],
])('%s searches for long words in much for little', async (path, field) => {
  for (let nth = 0; nth < 300; nth++) {
    const rule = { name: `Rule ${nth}`, prompt: 'What broke?', cron_expr: '0 9 * * *' }
    await intake.call('/safari/automation/rule/create', rule)
    await intake.call('/incident/create', { incident_severity: 'Info', title: `Incident ${nth}` })
    await intake.call('/channel/create', { team_id: 123, channel_name: `Channel ${nth}` })
  }
  const filter = { start_time: 0, end_time: 4e9, [field]: 'NOT THERE'.repeat(20_000) }
  expect(await cpuSeconds(() => intake.call(path, filter))).toBeLessThan(2)
})
