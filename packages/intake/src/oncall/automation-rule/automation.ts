import { createDirectory } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Int64, stringifyJson } from '../../platform/wire/int64.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { seededResources } from '../resource/resources.ts'
import { applySeed, type SeededEntry } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { type AutomationRule, seededRule } from './rule.ts'
import { createRules, fireIfDue, type Rules, setAgain, watchClock } from './rules.ts'
import { createRuns, type Runs } from './runs.ts'
import type { Severity } from './schema.ts'

interface Incident {
  channel_id: Int64
  severity: Severity
  title?: string
}

/** The rules, the runs, and what makes runs of rules. */
export interface Automation {
  rules: Rules
  runs: Runs
  /** Applies a seed's rules. */
  seed(seed: Seed): Promise<void>
  /** Records a run of every rule whose schedule is due. Where the clock was set back, schedules are due again by the clock as it is. */
  fireDue(): Promise<void>
  /** Says that somebody has set the clock: however little it goes back, that counts. */
  clockWasSet(): void
  /** @returns the ids of the runs of the rules that watch for it. */
  reportIncident(accountId: number, incident: Incident): Promise<string[]>
}

/** By when one of several intakes has fired what is due. */
const FIRED_BY_OTHERS_MS = 60_000

/**
 * Applies the rules of a seed (see `applySeed`). Schedules that came due while nothing ran are skipped; where
 * others may run, what came due just now is theirs.
 */
export async function openAutomation(database: Database, seed: Seed, now: () => number): Promise<Automation> {
  const runs = createRuns(database)
  const rules = createRules(database, runs)
  const start = now()
  for (const id of await rules.due(database.kind === 'postgres' ? start - FIRED_BY_OTHERS_MS : start)) {
    await rules.hold(id, async (held) => held?.save(held.rule, start))
  }
  // Of intakes that share a database, each has a clock of its own.
  const isAlone = database.kind === 'sqlite'
  // The clock may have been ahead when the last intake closed.
  if (isAlone) await setAgain(rules, start, now)
  const clock = watchClock(now)
  const applyRules = (seed: Seed) => {
    const time = now()
    return applySeed(database, 'automation_rule', accountIdsOf(seed), seededRules(seed, time), {
      add: (on, added) => rules.add(added, time, on),
      replace: (on, changed) => rules.put(changed, time, on),
      remove: (on, account_id, rule_id) => rules.remove(account_id, rule_id, on),
    })
  }
  await applyRules(seed)
  return {
    async seed(next) {
      // They are set by the clock as it is.
      clock.look()
      clock.take()
      await applyRules(next)
    },
    rules,
    runs,
    clockWasSet: () => clock.look(0),
    async fireDue() {
      if (isAlone) clock.look()
      const setBackTo = clock.take()
      if (setBackTo !== undefined) await setAgain(rules, setBackTo, now)
      const yieldToOthers = yieldingToOthers()
      // The database answers without a pause.
      for (const id of await rules.due(now())) {
        // The clock may be set back meanwhile.
        await rules.hold(id, (held) => fireIfDue(held, now()))
        await yieldToOthers()
      }
    },
    async reportIncident(accountId, incident) {
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

function accountIdsOf({ accounts }: Seed): number[] {
  return accounts.map(({ account_id }) => account_id)
}

function isWatching(rule: AutomationRule, { channel_id, severity }: Incident): boolean {
  if (!rule.enabled || !rule.oncall_incident_trigger_enabled) return false
  return (
    rule.oncall_incident_channel_ids?.includes(channel_id) === true &&
    rule.oncall_incident_severities?.includes(severity) === true
  )
}

function seededRules({ accounts }: Seed, now: number): SeededEntry<AutomationRule>[] {
  // As the seed has them: what was changed since is none of its rules' business.
  const directory = createDirectory({ accounts })
  return accounts.flatMap((seededAccount) => {
    const { account_id, automation_rules = [] } = seededAccount
    const resources = seededResources(seededAccount)
    return automation_rules.map((seeded) => {
      const account = directory.accounts.get(account_id)
      if (!account) throw new Error(`no account ${account_id}`)
      const row = seededRule(seeded, account, resources, now)
      return { accountId: account_id, id: seeded.rule_id, entry: seeded, row }
    })
  })
}
