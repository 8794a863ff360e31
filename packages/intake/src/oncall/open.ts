import type { Directory } from '../platform/accounts/directory.ts'
import type { Database } from '../platform/database/database.ts'
import { openAuditLog } from './audit/log.ts'
import { openAutomation } from './automation-rule/automation.ts'
import { seedEscalationRules } from './escalation-rule/rules.ts'
import { seedIncidents } from './incident/seed-incidents.ts'
import { openResources } from './resource/store.ts'
import type { Seed } from './seed/seed.ts'

/** Reads what the database has of the on-call platform, and applies what has changed in the seed. */
export async function openOncall(database: Database, seed: Seed, directory: Directory, now: () => number) {
  const resources = await openResources(database, seed, directory)
  const automation = await openAutomation(database, seed, now)
  await seedEscalationRules(database, seed, now())
  await seedIncidents(database, seed)
  // Last: it is what has to be closed.
  const audit = await openAuditLog(database, directory, now)
  return { resources, audit, automation }
}
