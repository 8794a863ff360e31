import { type Account, createDirectory } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Int64, stringifyJson } from '../../platform/wire/int64.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { seededResources } from '../resource/resources.ts'
import { applySeed } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { type AutomationRule, seededRule } from './rule.ts'
import { createRules, fireIfDue, reschedule, toRow } from './rules.ts'
import { createRuns } from './runs.ts'
import type { Severity } from './schema.ts'

interface Incident {
  channel_id: Int64
  severity: Severity
  title?: string
}

/** Maximum age in milliseconds of due schedules that are left to other intakes at startup. */
const FIRED_BY_OTHERS_MS = 60_000
/** Clock corrections of up to this many milliseconds never cause a schedule to fire twice. */
const MAX_STEP_BACK = 60_000

export type Automation = Awaited<ReturnType<typeof openAutomation>>

/**
 * Opens automation rules and applies the rules from a seed (see `applySeed`). Schedules that became due while no intake was running are
 * skipped. With PostgreSQL, schedules that became due just before startup are left to other intakes.
 */
export async function openAutomation(database: Database, seed: Seed, now: () => number) {
  const runs = createRuns(database)
  const rules = createRules(database, runs)
  const start = now()
  for (const id of await rules.due(database.kind === 'postgres' ? start - FIRED_BY_OTHERS_MS : start)) {
    await rules.hold(id, async (held) => held?.save(held.rule, start))
  }
  // Intakes that share a database may have different clocks, so clock corrections are detected only with SQLite.
  const isAlone = database.kind === 'sqlite'
  // The clock may have been ahead when the previous intake closed.
  if (isAlone) await reschedule(rules, start, now)
  await seedRules(database, seed, now())
  let last = start
  /** Earliest time to which the clock was set back since the last check. */
  let setBackTo = Infinity
  /** @param maxStep largest backward step to tolerate, in milliseconds. */
  const lookAtClock = (maxStep: number) => {
    const time = now()
    if (time < last - maxStep) setBackTo = Math.min(time, setBackTo)
    last = time
  }
  return {
    async seed(next: Seed) {
      last = now()
      setBackTo = Infinity
      await seedRules(database, next, now())
    },
    rules,
    runs,
    /** Call this function after setting the clock. Otherwise, small backward steps are ignored. */
    clockWasSet: () => lookAtClock(0),
    /** Records a run of every rule that is due. If the clock was set back, recomputes the schedules. */
    async fireDue() {
      if (isAlone) lookAtClock(MAX_STEP_BACK)
      const from = setBackTo
      setBackTo = Infinity
      if (from < Infinity) await reschedule(rules, from, now)
      const yieldToOthers = yieldingToOthers()
      // SQLite queries are synchronous, so the loop yields after each rule to let other requests run.
      for (const id of await rules.due(now())) {
        // The time is read again, because the clock may be set back while this loop waits for the lock.
        await rules.hold(id, (held) => fireIfDue(held, now()))
        await yieldToOthers()
      }
    },
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

/** Validates the rules against the seed's own resources, not against resources that have changed since. */
function seedRules(database: Database, seed: Seed, now: number): Promise<void> {
  const directory = createDirectory(seed)
  return applySeed(database, seed, {
    table: 'automation_rule',
    kind: 'automation_rule',
    key: ['rule_id'],
    place: (rule_id) => ({ rule_id }),
    entriesOf(seededAccount) {
      const resources = seededResources(seededAccount)
      const account = directory.accounts.get(seededAccount.account_id) as Account
      return (seededAccount.automation_rules ?? []).map((entry) => {
        return { id: entry.rule_id, entry, row: toRow(seededRule(entry, account, resources, now), now) }
      })
    },
  })
}
