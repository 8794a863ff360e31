import type { Directory } from '../accounts/directory.ts'
import type { Seed } from '../accounts/seed.ts'
import { digest } from '../keys.ts'
import type { Severity } from '../resources/automation-rule.ts'
import type { Store } from '../store/store.ts'
import { type Int64, stringifyJson } from '../wire/int64.ts'
import { createRule } from './create.ts'
import type { AutomationRule } from './rule.ts'
import { createRules, type Rules } from './rules.ts'
import { createRuns, type Runs } from './runs.ts'

interface Incident {
  channel_id: Int64
  severity: Severity
  title?: string
}

/** The rules, the runs, and what makes runs of rules. */
export interface Automation {
  rules: Rules
  runs: Runs
  /** Records a run of every rule whose schedule is due. */
  fireDue(): Promise<void>
  /** @returns the ids of the runs of the rules that watch for it. */
  reportIncident(accountId: number, incident: Incident): Promise<string[]>
}

/** Takes in the rules of a seed that the store does not have. Schedules that came due while nothing ran are passed over. */
export async function openAutomation(
  store: Store,
  seed: Seed,
  directory: Directory,
  now: () => number,
): Promise<Automation> {
  const rules = createRules(store)
  const runs = createRuns(store)
  await rules.reschedule(now())
  await rules.saveNew(seededRules(seed, directory, now()), now())
  return {
    rules,
    runs,
    async fireDue() {
      const time = now()
      for (const rule of await rules.due(time)) {
        if (!(await rules.claim(rule, time))) continue
        const input = stringifyJson({ cron_expr: rule.cron_expr, timezone: rule.timezone })
        await runs.record(rule, 'schedule', rule.schedule_trigger_id ?? '', input, time)
      }
    },
    async reportIncident(accountId, incident) {
      const watching = (await rules.of(accountId)).filter((rule) => isWatching(rule, incident))
      const input = stringifyJson(incident)
      return Promise.all(
        watching.map((rule) =>
          runs.record(rule, 'oncall_incident', rule.oncall_incident_trigger_id ?? '', input, now()),
        ),
      )
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

function seededRules({ accounts }: Seed, directory: Directory, now: number): AutomationRule[] {
  return accounts.flatMap(({ account_id, automation_rules = [] }) =>
    automation_rules.map(({ rule_id, owner_id, http_post_token, ...given }) => {
      const account = directory.accounts.get(account_id)
      if (!account) throw new Error(`no account ${account_id}`)
      const { rule } = createRule(given, owner_id, account, now)
      const token = http_post_token && { http_post_token_sha256: digest(http_post_token).toString('hex') }
      return { ...rule, rule_id, ...token }
    }),
  )
}
