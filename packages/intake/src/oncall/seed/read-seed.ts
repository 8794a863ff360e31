import { readFile } from 'node:fs/promises'
import { createDirectory } from '../../platform/accounts/directory.ts'
import { ApiError } from '../../platform/errors.ts'
import { compileSchema, fieldOf, strict } from '../../platform/wire/validator.ts'
import { seededRule } from '../automation-rule/rule.ts'
import { checkEscalationRule } from '../escalation-rule/check.ts'
import { seededResources } from '../resource/resources.ts'
import { Seed } from './seed.ts'

const STRICT_SEED = strict(Seed) as typeof Seed

/** Messages never contain values from the seed, because a value may be a key. */
export class SeedError extends Error {}

/**
 * Reads a seed in YAML or JSON.
 * @throws SeedError if the file cannot be read or is invalid.
 */
export async function readSeed(path: string): Promise<Seed> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new SeedError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  // Integers are read as bigints, so that 64-bit ids keep all digits.
  const document = parseDocument(text, { intAsBigInt: true, lineCounter: lines })
  const [error] = document.errors
  if (error)
    throw new SeedError(
      `${path}:${lines.linePos(error.pos[0]).line}: the file is neither YAML nor JSON (${error.code})`,
    )
  let value: unknown
  try {
    value = withSmallNumbers(document.toJS())
  } catch {
    throw new SeedError(`${path}: the YAML aliases expand indefinitely`)
  }
  return checkSeed(value, path)
}

/** @throws SeedError with the path of the first invalid field. */
export async function checkSeed(value: unknown, name = 'the seed'): Promise<Seed> {
  const matches = await compileSchema(STRICT_SEED)
  if (!matches(value)) {
    const [error] = matches.errors ?? []
    const unknown = error?.params.additionalProperty
    if (error && typeof unknown === 'string') {
      const place = fieldOf(error)
      throw new SeedError(
        `${name}: ${place === '' ? 'the seed' : place} contains the unknown field ${JSON.stringify(unknown.slice(0, 60))}`,
      )
    }
    const allowed: unknown = error?.params.allowedValues
    const why = Array.isArray(allowed)
      ? `must be ${allowed.join(', ').replace(/, ([^,]*)$/, ' or $1')}`
      : `is not valid: ${error?.message}`
    throw new SeedError(`${name}: ${(error && fieldOf(error)) || 'the seed'} ${why}`)
  }
  const seed = value as Seed
  const problem = contradiction(seed) ?? (await ruleProblem(seed))
  // Messages from operations already end with a period.
  if (problem !== undefined) throw new SeedError(`${name}: ${problem.replace(/\.$/, '')}`)
  return seed
}

/** Finds duplicate ids and references to missing objects, which a schema cannot detect. */
function contradiction({ accounts }: Seed): string | undefined {
  const keys = new Set<string>()
  const accountIds = new Set<number>()
  for (const [nth, account] of accounts.entries()) {
    const at = `accounts[${nth}]`
    if (accountIds.has(account.account_id)) return `${at}.account_id occurs twice`
    accountIds.add(account.account_id)
    const people = new Set(account.members.map(({ person_id }) => person_id))
    const teams = new Set(account.teams?.map(({ team_id }) => team_id))
    const channels = new Set(account.channels?.map(({ channel_id }) => channel_id))
    for (const [field, ids] of Object.entries({
      members: account.members.map(({ person_id }) => person_id),
      teams: account.teams?.map(({ team_id }) => team_id),
      channels: account.channels?.map(({ channel_id }) => channel_id),
      schedules: account.schedules?.map(({ schedule_id }) => schedule_id),
      datasources: account.datasources?.map(({ id }) => id),
      automation_rules: account.automation_rules?.map(({ rule_id }) => rule_id),
      incidents: account.incidents?.map(({ incident_id }) => incident_id.toLowerCase()),
    })) {
      if (ids && new Set<unknown>(ids).size < ids.length) return `${at}.${field} contains the same id twice`
    }
    for (const { key, person_id } of account.app_keys ?? []) {
      if (!people.has(person_id)) return `${at}.app_keys: no member has the person_id ${person_id}`
      if (keys.has(key)) return `${at}.app_keys: the same key occurs twice`
      keys.add(key)
    }
    for (const key of account.upload_keys ?? []) {
      if (keys.has(`upload ${key}`)) return `${at}.upload_keys: the same key occurs twice`
      keys.add(`upload ${key}`)
    }
    for (const { team_ids } of account.members) {
      const unknown = team_ids?.find((id) => !teams.has(id))
      if (unknown !== undefined) return `${at}.members: team not found: ${unknown}`
    }
    const unknownTeam = teamsIn(account).find(([, id]) => id && !teams.has(id))
    if (unknownTeam) return `${at}${unknownTeam[0]}: team not found: ${unknownTeam[1]}`
    for (const { owner_id } of account.automation_rules ?? []) {
      if (!people.has(owner_id)) return `${at}.automation_rules: no member has the person_id ${owner_id}`
    }
    for (const { channel_id } of account.escalation_rules ?? []) {
      if (!channels.has(channel_id)) return `${at}.escalation_rules: channel not found: ${channel_id}`
    }
    for (const { channel_id = 0 } of account.incidents ?? []) {
      if (channel_id !== 0 && !channels.has(channel_id)) return `${at}.incidents: channel not found: ${channel_id}`
    }
  }
  return undefined
}

type SeededAccount = Seed['accounts'][number]

/** Returns all references to teams, except the references from members. */
function teamsIn({ channels = [], schedules = [], automation_rules = [], escalation_rules = [] }: SeededAccount) {
  return [
    ...channels.flatMap(({ team_id, managing_team_ids = [] }, nth) =>
      [team_id, ...managing_team_ids].map((id) => [`.channels[${nth}]`, id] as const),
    ),
    ...schedules.map(({ team_id }, nth) => [`.schedules[${nth}]`, team_id] as const),
    ...automation_rules.map(({ team_id }, nth) => [`.automation_rules[${nth}]`, team_id] as const),
    ...escalation_rules.flatMap(({ layers }, nth) =>
      layers.flatMap(({ target }) => target.team_ids ?? []).map((id) => [`.escalation_rules[${nth}]`, id] as const),
    ),
  ]
}

/** Validates rules with the same checks as the operations that create rules. */
async function ruleProblem(seed: Seed): Promise<string | undefined> {
  const { accounts } = createDirectory(seed)
  const triggers = new Set<string>()
  for (const [nth, seededAccount] of seed.accounts.entries()) {
    const { account_id, automation_rules = [], escalation_rules = [] } = seededAccount
    const resources = seededResources(seededAccount)
    const account = accounts.get(account_id)
    if (!account) continue
    for (const [position, rule] of automation_rules.entries()) {
      const at = `accounts[${nth}].automation_rules[${position}] (${rule.rule_id})`
      const refusal = await refusalOf(() => seededRule(rule, account, resources, 0))
      if (refusal !== undefined) return `${at}: ${refusal}`
      const { http_post_trigger_id: id } = rule
      if (id !== undefined && triggers.has(id)) return `${at}: another rule has the same http_post_trigger_id`
      if (id !== undefined) triggers.add(id)
    }
    for (const [position, rule] of escalation_rules.entries()) {
      const refusal = await refusalOf(() => checkEscalationRule(rule))
      if (refusal !== undefined) return `accounts[${nth}].escalation_rules[${position}] (${rule.rule_id}): ${refusal}`
    }
  }
  return undefined
}

async function refusalOf(make: () => unknown): Promise<string | undefined> {
  try {
    await make()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

function withSmallNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(withSmallNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withSmallNumbers(item)]])),
  )
}
