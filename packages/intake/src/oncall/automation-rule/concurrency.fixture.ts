import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'

const RULE = 'arule_7NnLzY2Qp8xS4kUaV3mR6b'
const MONDAY = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000
const ROUNDS = 8

/**
 * Guarantees when several clients change rules at the same time.
 * @param createDatabase returns the address of a new PostgreSQL database, which two intakes share. Without it, a single intake uses SQLite.
 */
export function describeConcurrency(kind: string, createDatabase?: () => Promise<string>): void {
  describe(`automation rules in ${kind}`, () => {
    let time: number
    let dataDir: string
    let database: string | undefined
    let callers: Caller[]
    beforeEach(async () => {
      time = MONDAY
      dataDir = mkdtempSync(join(tmpdir(), 'symup-automation-'))
      database = await createDatabase?.()
      const options = { dataDir, now: () => time, ...(database !== undefined && { database }) }
      callers = [await callIntake(options)]
      if (database !== undefined) callers.push(await callIntake(options))
    })
    afterEach(async () => {
      await Promise.all(callers.map(({ intake }) => intake.close()))
      rmSync(dataDir, { recursive: true, force: true })
    })

    const post = (nth: number, path: string, body: object) => (callers[nth % callers.length] as Caller).post(path, body)
    const update = (nth: number, changes: object, rule_id = RULE) =>
      post(nth, '/safari/automation/rule/update', { rule_id, ...changes })
    const create = async (nth: number) => {
      const rule = { name: 'n', prompt: 'p', cron_expr: '* * * *', enabled: true }
      return (await post(nth, '/safari/automation/rule/create', rule)).data.rule_id as string
    }
    const runs = async (rule_id: string) =>
      (await post(0, '/safari/automation/run/list', { rule_id })).data.items as { trigger_kind: string }[]

    it('creates no rule for a team that is being deleted', async () => {
      const rule = { name: 'n', prompt: 'p', cron_expr: '0 * * * *' }
      for (let round = 0; round < ROUNDS; round++) {
        const { team_id } = (await post(0, '/team/upsert', { team_name: `t${round}` })).data
        const deleted = post(0, '/team/delete', { team_id })
        const created = [1, 2, 3].map((nth) => post(nth, '/safari/automation/rule/create', { ...rule, team_id }))
        const isGone = (await deleted).status === 200
        const made = (await Promise.all(created)).filter(({ status }) => status === 200)
        expect(made.length > 0).toBe(!isGone)
      }
    })

    it('loses no change when several clients update at once', async () => {
      const changes = [{ name: 'new' }, { prompt: 'new' }, { timezone: 'UTC' }, { cron_expr: '15 9 * * 1' }]
      for (let round = 0; round < ROUNDS; round++) {
        const rule = await create(round)
        const answers = await Promise.all(changes.map((change, nth) => update(nth, change, rule)))
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        const { data } = await post(1, '/safari/automation/rule/get', { rule_id: rule })
        expect(data).toMatchObject(Object.assign({}, ...changes))
      }
    })

    it('returns one token, which works, for simultaneous requests', async () => {
      const answers = await Promise.all([0, 1, 2, 3].map((nth) => update(nth, { http_post_trigger_enabled: true })))
      const given = answers.filter(({ data }) => data.http_post_token !== undefined)
      expect(given).toHaveLength(1)
      const { http_post_trigger_url: url, http_post_token: token } = given[0]?.data ?? {}
      const headers = { Authorization: `Bearer ${token}` }
      expect((await (callers[0] as Caller).post(url, {}, { key: '', headers })).status).toBe(200)
    })

    it('never restores a deleted rule', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const rule = await create(round)
        const [deleted] = await Promise.all([
          post(round, '/safari/automation/rule/delete', { rule_id: rule }),
          ...[1, 2, 3].map((nth) => update(round + nth, { name: `${nth}` }, rule)),
        ])
        expect(deleted.status).toBe(200)
        expect((await post(0, '/safari/automation/rule/get', { rule_id: rule })).code).toBe('ResourceNotFound')
      }
    })

    it('runs a rule that was due before a change', async () => {
      const rule = await create(0)
      time += HOUR
      await update(0, { cron_expr: '15 9 1 1 *' }, rule)
      await Promise.all(callers.map(({ intake }) => intake.fireDue()))
      expect((await runs(rule)).map((run) => run.trigger_kind)).toEqual(['schedule'])
    })

    it('runs a rule once, however many clients query it', async () => {
      const rule = await create(0)
      time += HOUR
      await Promise.all([...callers, ...callers].map(({ intake }) => intake.fireDue()))
      expect(await runs(rule)).toHaveLength(1)
    })

    it('runs a rule later if the run could not be recorded', async () => {
      const rule = await create(0)
      time += HOUR
      const opened = await openDatabase(dataDir, database)
      const fail =
        database !== undefined
          ? [
              `create function fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`,
              'create trigger fail before insert on automation_run execute function fail()',
            ]
          : [`create trigger fail before insert on automation_run begin select raise(abort, 'no room'); end`]
      for (const statement of fail) await sql.raw(statement).execute(opened.db)
      await expect(callers[0]?.intake.fireDue()).rejects.toThrow('no room')
      await sql.raw(`drop trigger fail${database !== undefined ? ' on automation_run' : ''}`).execute(opened.db)
      await opened.close()
      await callers[0]?.intake.fireDue()
      // The rule in the seed was also due. The intake tried one of the two rules first.
      expect([(await runs(rule)).length, (await runs(RULE)).length]).toEqual([1, 1])
    })
  })
}
