import type { Int64 } from '../wire/int64.ts'
import { type KeyRing, keyRing } from './keys.ts'
import type { Permission } from './permissions.ts'
import type { SeededAccount, SeededMember } from './seeded-account.ts'

const DEFAULT_RETENTION_DAYS = 30

export interface Member {
  id: Int64
  name: string
  /** Owner or admin of the account. */
  isAdmin: boolean
  teamIds: ReadonlySet<Int64>
}

/** An account and who belongs to it. No operation changes it. */
export interface Account {
  id: number
  name: string
  timezone: string
  auditRetentionDays: number
  teamIds: ReadonlySet<Int64>
  members: ReadonlyMap<Int64, Member>
}

/** Who calls, found by the app key. */
export interface Caller {
  account: Account
  member: Member
  permissions: ReadonlySet<Permission>
}

export interface Directory {
  accounts: ReadonlyMap<number, Account>
  appKeys: KeyRing<Caller>
  /** Opens the account that an upload goes to. */
  uploadKeys: KeyRing<Account>
}

/** Puts the accounts of a seed in order. Keys are kept as digests only. */
export function createDirectory(seed: { accounts: readonly SeededAccount[] }): Directory {
  const accounts = new Map(seed.accounts.map((account) => [account.account_id, toAccount(account)]))
  const appKeys: [string, Caller][] = []
  const uploadKeys: [string, Account][] = []
  for (const { account_id, app_keys = [], upload_keys = [] } of seed.accounts) {
    const account = accounts.get(account_id) as Account
    for (const { key, person_id, permissions } of app_keys) {
      const member = account.members.get(person_id) as Member
      appKeys.push([key, { account, member, permissions: new Set(permissions) }])
    }
    for (const key of upload_keys) uploadKeys.push([key, account])
  }
  return { accounts, appKeys: keyRing(appKeys), uploadKeys: keyRing(uploadKeys) }
}

function toAccount(seeded: SeededAccount): Account {
  return {
    id: seeded.account_id,
    name: seeded.name,
    timezone: seeded.timezone ?? 'UTC',
    auditRetentionDays: seeded.audit_retention_days ?? DEFAULT_RETENTION_DAYS,
    teamIds: new Set(seeded.teams?.map(({ team_id }) => team_id)),
    members: new Map(seeded.members.map(toMember).map((member) => [member.id, member])),
  }
}

function toMember({ person_id, name, role, team_ids }: SeededMember): Member {
  return { id: person_id, name, isAdmin: role !== 'member', teamIds: new Set(team_ids) }
}
