import { stringifyJson } from '../../platform/wire/int64.ts'
import type { HeldRule } from './rules.ts'

/** Records the run of a schedule whose time has come, and sets the next time. */
export async function fireIfDue(held: HeldRule | undefined, now: number): Promise<void> {
  if (!held || held.dueAt === null || held.dueAt > now) return
  const { rule } = held
  const input = stringifyJson({ cron_expr: rule.cron_expr, timezone: rule.timezone })
  await held.addRun('schedule', rule.schedule_trigger_id ?? '', input, now)
  await held.save(rule, now)
}
