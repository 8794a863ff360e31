import type { FastifyInstance } from 'fastify'
import type { SeededAccounts } from '../platform/accounts/directory.ts'
import { routeOperations } from '../platform/http/operation-routes.ts'
import { repeated } from '../platform/repeated.ts'
import type { Core, Room } from '../platform/room.ts'
import { inPieces } from '../platform/yielding.ts'
import { auditRow, openAuditLog } from './audit/log.ts'
import { openAutomation } from './automation-rule/automation.ts'
import { seedEscalationRules } from './escalation-rule/rules.ts'
import { seedIncidents } from './incident/store.ts'
import type { OncallServices } from './operation.ts'
import { openResources } from './resource/store.ts'
import { ONCALL_OPERATIONS } from './routes.ts'
import type { SeededSchedule } from './schedule/schema.ts'
import type { Seed } from './seed/seed.ts'

export { type AutomationRule, nextFireOf } from './automation-rule/rule.ts'
export { toRunItem } from './automation-rule/runs.ts'
export { type AutomationRunItem, SEVERITIES, type Severity } from './automation-rule/schema.ts'
export { SeededDatasource } from './datasource/schema.ts'
export { reportIncident } from './incident/create.ts'
export { read as readIncident } from './incident/store.ts'
export type { OncallServices } from './operation.ts'
export type { Resources } from './resource/resources.ts'
export type { Oncall } from './schedule/schema.ts'
export { checkSeed, SeedError } from './seed/read-seed.ts'
export type { Seed } from './seed/seed.ts'

/** In deletion order: tables that refer to other tables come first. */
const TABLES = [
  'audit_record',
  'automation_run',
  'automation_rule',
  'escalation_rule',
  'incident_event',
  'incident',
  'resource',
  'seeded',
] as const
const CHECK_MS = 1000

export class OncallRoom implements Room {
  readonly name = 'oncall'
  readonly operations = ONCALL_OPERATIONS
  readonly #seed: Seed
  /** Set when the room opens. */
  services!: OncallServices
  #endChecks: (() => Promise<void>) | undefined

  constructor(seed: Seed) {
    this.#seed = seed
  }

  async open({ database, directory, clock, onOperation }: Core): Promise<void> {
    const { now } = clock
    const resources = await openResources(database, this.#seed, directory)
    const automation = await openAutomation(database, this.#seed, now)
    await seedEscalationRules(database, this.#seed, now())
    await seedIncidents(database, this.#seed)
    // The audit log must be opened last, because it would stay open if a later step failed.
    const audit = await openAuditLog(database, directory, now)
    this.services = { database, resources, audit, automation }
    clock.onSet(() => automation.clockWasSet())
    onOperation((...request) => audit.record(auditRow(...request)))
    this.#endChecks = repeated(async () => {
      const checks = await Promise.allSettled([automation.fireDue(), resources.refresh()])
      const failed = checks.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (failed) process.stderr.write(`intake: schedules: ${(failed.reason as Error).message}\n`)
    }, CHECK_MS)
  }

  route(app: FastifyInstance, { services, rules }: Core): void {
    routeOperations(app, ONCALL_OPERATIONS, { ...services, ...this.services }, rules)
  }

  async reset(): Promise<void> {
    const { audit, database } = this.services
    await audit.flush()
    await database.db.transaction().execute(async (transaction) => {
      for (const table of TABLES) await transaction.deleteFrom(table).execute()
    })
  }

  async seed(given: SeededAccounts, now: number): Promise<void> {
    const seed = given as Seed
    const { resources, automation, database } = this.services
    await resources.seed(seed)
    await automation.seed(seed)
    await seedEscalationRules(database, seed, now)
    await seedIncidents(database, seed)
  }

  /** @returns the Unix time of the next scheduled run, in milliseconds; undefined if no run is scheduled. */
  async nextDue(): Promise<number | undefined> {
    const { db } = this.services.database
    const rules = db.selectFrom('automation_rule').select('next_fire_at').where('next_fire_at', 'is not', null)
    return (await rules.orderBy('next_fire_at').limit(1).executeTakeFirst())?.next_fire_at ?? undefined
  }

  async countRuns(): Promise<number> {
    const runs = this.services.database.db
      .selectFrom('automation_run')
      .select((eb) => eb.fn.countAll<number>().as('count'))
    return (await runs.executeTakeFirstOrThrow()).count
  }

  async stop(): Promise<void> {
    await this.#endChecks?.()
  }

  async close(): Promise<void> {
    await this.services?.audit.close()
  }
}

/**
 * Loads the calendar code on first use.
 * @param now Unix time in seconds.
 */
export async function whoIsOnCall(schedule: SeededSchedule, timezone: string, now: number) {
  const { calculate } = await import('./schedule/who-is-on-call.ts')
  return inPieces(calculate(schedule, timezone, now))
}
