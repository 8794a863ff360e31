import type { Int64 } from '../wire/int64.ts'
import { keyRing } from './keys.ts'
import type { Permission, SeededAccount, SeededMember, SeededTeam } from './seeded-account.ts'

const DEFAULT_RETENTION_DAYS = 30

export interface Member {
  id: Int64
  name: string
  /** Owners also count as admins. */
  isAdmin: boolean
  teamIds: ReadonlySet<Int64>
}

export interface People {
  readonly teamIds: ReadonlySet<Int64>
  readonly members: ReadonlyMap<Int64, Member>
}

export interface Account extends People {
  readonly id: number
  readonly name: string
  readonly timezone: string
  readonly auditRetentionDays: number
}

export interface Caller {
  account: Account
  member: Member
  permissions: ReadonlySet<Permission>
}

interface Opens {
  account: Account
  personId: Int64
  permissions: ReadonlySet<Permission>
}

export interface SeededAccounts {
  accounts: readonly SeededAccount[]
}

export type Directory = ReturnType<typeof createDirectory>

export function createDirectory(seed: SeededAccounts) {
  const accounts = new Map<number, Account>()
  let keys = readAccounts(seed, accounts)
  return {
    accounts: accounts as ReadonlyMap<number, Account>,
    appKeys: {
      find(key: unknown): Caller | undefined {
        const { account, personId, permissions } = keys.appKeys.find(key) ?? {}
        const member = account?.members.get(personId ?? 0)
        return account && member && permissions && { account, member, permissions }
      },
    },
    uploadKeys: { find: (key: unknown) => keys.uploadKeys.find(key) },
    /** Updates the members and teams of an account. App keys of removed members become invalid. */
    setPeople(accountId: number, { teamIds, members }: People) {
      Object.assign(accounts.get(accountId) ?? {}, { teamIds, members })
    },
    /** Adds an app key that is valid until `replace` is called. If the key already exists, its permissions are replaced. */
    addAppKey(key: string, accountId: number, personId: Int64, permissions: readonly Permission[]) {
      const account = accounts.get(accountId)
      if (!account) throw new Error(`no account ${accountId}`)
      keys.appKeys.add(key, { account, personId, permissions: new Set(permissions) })
    },
    replace(next: SeededAccounts) {
      accounts.clear()
      keys = readAccounts(next, accounts)
    },
  }
}

function readAccounts(seed: SeededAccounts, accounts: Map<number, Account>) {
  for (const account of seed.accounts) accounts.set(account.account_id, toAccount(account))
  const appKeys: [string, Opens][] = []
  const uploadKeys: [string, Account][] = []
  for (const { account_id, app_keys = [], upload_keys = [] } of seed.accounts) {
    const account = accounts.get(account_id) as Account
    for (const { key, person_id, permissions } of app_keys) {
      appKeys.push([key, { account, personId: person_id, permissions: new Set(permissions) }])
    }
    for (const key of upload_keys) uploadKeys.push([key, account])
  }
  return { appKeys: keyRing(appKeys), uploadKeys: keyRing(uploadKeys) }
}

export function peopleOf(members: Iterable<SeededMember>, teams: Iterable<Pick<SeededTeam, 'team_id'>>): People {
  return {
    teamIds: new Set([...teams].map(({ team_id }) => team_id)),
    members: new Map([...members].map(toMember).map((member) => [member.id, member])),
  }
}

function toAccount(seeded: SeededAccount): Account {
  return {
    id: seeded.account_id,
    name: seeded.name,
    timezone: seeded.timezone ?? 'UTC',
    auditRetentionDays: seeded.audit_retention_days ?? DEFAULT_RETENTION_DAYS,
    ...peopleOf(seeded.members, seeded.teams ?? []),
  }
}

function toMember({ person_id, name, role, team_ids }: SeededMember): Member {
  return { id: person_id, name, isAdmin: role !== 'member', teamIds: new Set(team_ids) }
}
