import { createDirectory } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { type Int64, stringifyJson } from '../../platform/wire/int64.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { seededResources } from '../resource/resources.ts'
import { applySeed, type SeededEntry, type SeedWriter, tableWriter } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { type AutomationRule, seededRule } from './rule.ts'
import { createRules, fireIfDue, reschedule, toRow, watchClock } from './rules.ts'
import { createRuns } from './runs.ts'
import type { Severity } from './schema.ts'

interface Incident {
  channel_id: Int64
  severity: Severity
  title?: string
}

/** The time within which another intake has fired due schedules. */
const FIRED_BY_OTHERS_MS = 60_000

export type Automation = Awaited<ReturnType<typeof openAutomation>>

/**
 * Opens automation rules, their runs, and their triggers. Applies the rules of a seed (see `applySeed`). Schedules that came due while no
 * intake ran are skipped. If other intakes may run, just-due schedules are left to them.
 */
export async function openAutomation(database: Database, seed: Seed, now: () => number) {
  const runs = createRuns(database)
  const rules = createRules(database, runs)
  const start = now()
  for (const id of await rules.due(database.kind === 'postgres' ? start - FIRED_BY_OTHERS_MS : start)) {
    await rules.hold(id, async (held) => held?.save(held.rule, start))
  }
  // Intakes that share a database have different clocks.
  const isAlone = database.kind === 'sqlite'
  // The clock may have been ahead when the last intake closed.
  if (isAlone) await reschedule(rules, start, now)
  const clock = watchClock(now)
  const applyRules = (seed: Seed) => {
    const time = now()
    const accountIds = seed.accounts.map(({ account_id }) => account_id)
    const remove: SeedWriter<RuleRow>['remove'] = (on, accountId, id) =>
      on.deleteFrom('automation_rule').where('account_id', '=', accountId).where('rule_id', '=', id).execute()
    const writer = tableWriter('automation_rule', ['rule_id'], remove)
    return applySeed(database, 'automation_rule', accountIds, seededRules(seed, time), writer)
  }
  await applyRules(seed)
  return {
    /** Applies a seed's rules. */
    async seed(next: Seed) {
      // The schedules now match the current clock.
      clock.look()
      clock.take()
      await applyRules(next)
    },
    rules,
    runs,
    /** Call it after setting the clock, so that even a small step back counts. */
    clockWasSet: () => clock.look(0),
    /** Records a run of every rule whose schedule is due. After the clock is set back, schedules become due by the new time. */
    async fireDue() {
      if (isAlone) clock.look()
      const setBackTo = clock.take()
      if (setBackTo !== undefined) await reschedule(rules, setBackTo, now)
      const yieldToOthers = yieldingToOthers()
      // Without a pause, because the database answers synchronously.
      for (const id of await rules.due(now())) {
        // The clock may be set back during this.
        await rules.hold(id, (held) => fireIfDue(held, now()))
        await yieldToOthers()
      }
    },
    /** @returns the ids of the runs that it triggers. */
    async reportIncident(accountId: number, incident: Incident) {
      const input = stringifyJson(incident)
      const ids: string[] = []
      const yieldToOthers = yieldingToOthers()
      for (const { rule_id } of (await rules.of(accountId)).filter((rule) => isWatching(rule, incident))) {
        const id = await rules.hold(rule_id, async (held) => {
          if (!held || !isWatching(held.rule, incident)) return undefined
          return held.addRun('oncall_incident', held.rule.oncall_incident_trigger_id ?? '', input, now())
        })
        if (id !== undefined) ids.push(id)
        await yieldToOthers()
      }
      return ids
    },
  }
}

function isWatching(rule: AutomationRule, { channel_id, severity }: Incident): boolean {
  if (!rule.enabled || !rule.oncall_incident_trigger_enabled) return false
  return (
    rule.oncall_incident_channel_ids?.includes(channel_id) === true &&
    rule.oncall_incident_severities?.includes(severity) === true
  )
}

type RuleRow = Tables['automation_rule']

function seededRules({ accounts }: Seed, now: number): SeededEntry<RuleRow>[] {
  // Seeded rules are checked against the seed, not against later changes.
  const directory = createDirectory({ accounts })
  return accounts.flatMap((seededAccount) => {
    const { account_id, automation_rules = [] } = seededAccount
    const resources = seededResources(seededAccount)
    return automation_rules.map((seeded) => {
      const account = directory.accounts.get(account_id)
      if (!account) throw new Error(`no account ${account_id}`)
      const row = toRow(seededRule(seeded, account, resources, now), now)
      return { accountId: account_id, id: seeded.rule_id, entry: seeded, row }
    })
  })
}
