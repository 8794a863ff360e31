import {
  type AutomationRule,
  nextFireOf,
  type Oncall,
  type OncallServices,
  type Resources,
  readIncident,
  whoIsOnCall,
} from '../oncall/room.ts'
import type { Account, Directory } from '../platform/accounts/directory.ts'
import type { Int64 } from '../platform/wire/int64.ts'
import type { OperationsState, RuleRow, ScheduleRow } from './api.ts'

/** Maximum number of rows to show from lists that grow without limit. Only the newest rows are shown. */
const MAX_ROWS = 50

export interface OperationsContext extends OncallServices {
  directory: Directory
  /** Returns the Unix time in milliseconds. */
  now(): number
  /** Absent if the intake serves no test routes. */
  isClockSet?(): boolean
}

export async function operationsState(context: OperationsContext, isCalled: boolean): Promise<OperationsState> {
  const { directory, automation, resources, database, isClockSet, now } = context
  const time = now()
  const rules: RuleRow[] = []
  const schedules: ScheduleRow[] = []
  const channels = new Map<string, string>()
  const names = new Map<string, string>()
  for (const account of directory.accounts.values()) {
    const owned = await resources.of(account.id)
    for (const { channel_id, channel_name } of owned.channel.values()) channels.set(String(channel_id), channel_name)
    for (const rule of await automation.rules.of(account.id)) {
      names.set(rule.rule_id, rule.name)
      rules.push(ruleRow(rule, owned, time))
    }
    schedules.push(...(await scheduleRows(account, owned, time)))
  }
  const runs = await database.scans
    .selectFrom('automation_run')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('run_id', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const incidents = await database.scans
    .selectFrom('incident')
    .select('document')
    .orderBy('start_time', 'desc')
    .orderBy('incident_id', 'desc')
    .limit(MAX_ROWS)
    .execute()
  return {
    isUsed: isCalled,
    now: time,
    isClockSet: isClockSet?.() ?? false,
    hasTestRoutes: isClockSet !== undefined,
    rules,
    runs: runs.map(({ run_id, rule_id, trigger_kind, created_at, input }) => {
      return { id: run_id, rule: names.get(rule_id) ?? rule_id, kind: trigger_kind, time: Number(created_at), input }
    }),
    schedules,
    incidents: incidents.map(({ document }) => {
      const { incident_id, title, incident_severity, progress, channel_id, start_time } = readIncident(document)
      const channel = channels.get(String(channel_id)) ?? ''
      return { id: incident_id, title, severity: incident_severity, progress, channel, time: start_time * 1000 }
    }),
    channels: [...channels].map(([id, name]) => ({ id, name })),
  }
}

function ruleRow(rule: AutomationRule, owned: Resources, now: number): RuleRow {
  const { rule_id, name, enabled, owner_id, team_id, cron_expr, timezone } = rule
  const { http_post_trigger_id: post, oncall_incident_trigger_id: incident } = rule
  const channelNames = (rule.oncall_incident_channel_ids ?? []).map(
    (id) => owned.channel.get(id)?.channel_name ?? String(id),
  )
  const { oncall_incident_trigger_enabled: isWatching, oncall_incident_severities: severities = [] } = rule
  const watched = [...severities, ...channelNames]
  const [cron, url] = [`${cron_expr} ${timezone}`, `/safari/automation/triggers/${post}/fire`]
  return {
    id: rule_id,
    name,
    isEnabled: enabled,
    owner: team_id === 0 ? nameOf(owned, owner_id) : (owned.team.get(team_id)?.name ?? String(team_id)),
    nextFire: nextFireOf(rule, now) ?? null,
    triggers: [
      { kind: 'schedule', isThere: cron_expr !== '', isEnabled: rule.schedule_trigger_enabled, detail: cron },
      { kind: 'http_post', isThere: post !== undefined, isEnabled: rule.http_post_trigger_enabled, detail: url },
      { kind: 'oncall_incident', isThere: incident !== undefined, isEnabled: isWatching, detail: watched.join(', ') },
    ].flatMap(({ isThere, ...trigger }) => (isThere ? [trigger] : [])),
  }
}

async function scheduleRows({ timezone }: Account, owned: Resources, now: number): Promise<ScheduleRow[]> {
  const turnOf = (oncall: Oncall | null) => {
    if (!oncall) return null
    const people = (oncall.group.members ?? []).flatMap(({ person_ids }) => person_ids.map((id) => nameOf(owned, id)))
    return { people, start: oncall.start * 1000, end: oncall.end * 1000 }
  }
  const rows: ScheduleRow[] = []
  for (const schedule of owned.schedule.values()) {
    const zone = schedule.timezone ?? timezone
    const { current, next } = await whoIsOnCall(schedule, zone, Math.floor(now / 1000))
    const { schedule_id, schedule_name, disabled = 0 } = schedule
    rows.push({
      id: String(schedule_id),
      name: schedule_name,
      isEnabled: disabled === 0,
      current: turnOf(current),
      next: turnOf(next),
    })
  }
  return rows
}

function nameOf({ member: members }: Resources, id: Int64): string {
  return members.get(id)?.name ?? String(id)
}
