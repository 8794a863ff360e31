import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'

const CHANNEL = 1001
const RULE = {
  channel_id: CHANNEL,
  template_id: '6621b23f4a2c5e0012ab34d1',
  rule_name: 'At night',
  layers: [{ target: { person_ids: [80011], by: { critical: ['voice'] } } }],
}
const ROUNDS = 8

describe.runIf(postgresPrograms())('escalation rules in two intakes that share a PostgreSQL database', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  let callers: Caller[]
  beforeEach(async () => {
    const database = await postgres.createDatabase()
    callers = await Promise.all([callIntake({ database }), callIntake({ database })])
  })
  afterEach(() => Promise.all(callers.map(({ intake }) => intake.close())))

  const post = (nth: number, action: string, body: object) =>
    (callers[nth % callers.length] as Caller).post(`/channel/escalate/rule/${action}`, body)

  it('keeps a rule disabled while others update it, and vice versa', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { rule_id } = (await post(round, 'create', RULE)).data
      const id = { channel_id: CHANNEL, rule_id }
      const updated = [1, 2, 3].map((nth) => post(round + nth, 'update', { ...RULE, rule_id, rule_name: 'By day' }))
      const answers = await Promise.all([...updated, post(round, 'disable', id)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect((await post(1, 'info', id)).data).toMatchObject({ status: 'disabled', rule_name: 'By day' })
    }
  })
})
