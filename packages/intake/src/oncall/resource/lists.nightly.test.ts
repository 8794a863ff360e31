import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { useIntake } from '../../testing.ts'

const intake = useIntake({ listen: false }, { beforeAll, beforeEach, afterAll })

it('searches many entries in lists for long words in little time', { timeout: 120_000 }, async () => {
  for (let nth = 0; nth < 300; nth++) {
    const rule = { name: `Rule ${nth}`, prompt: 'What broke?', cron_expr: '0 9 * * *' }
    await intake.call('/safari/automation/rule/create', rule)
    await intake.call('/incident/create', { incident_severity: 'Info', title: `Incident ${nth}` })
    await intake.call('/channel/create', { team_id: 123, channel_name: `Channel ${nth}` })
  }
  const words = 'NOT THERE'.repeat(20_000)
  for (const room of ['channel', 'schedule', 'team', 'member', 'safari/automation/rule', 'incident']) {
    const filter = { start_time: 0, end_time: 4e9, query: words, keyword: words }
    let status = 0
    const seconds = await cpuSeconds(async () => {
      status = (await intake.call(`/${room}/list`, filter)).status
    })
    expect([room, status]).toEqual([room, 200])
    expect(seconds, room).toBeLessThan(2)
  }
})
