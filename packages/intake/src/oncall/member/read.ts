import type { Account } from '../../platform/accounts/directory.ts'
import type { SeededMember } from '../../platform/accounts/seeded-account.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Instant, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'

const shared = {
  account_id: Id,
  email: Type.String(),
  email_verified: Type.Boolean(),
  phone: Type.String(),
  phone_verified: Type.Boolean(),
  avatar: Type.String(),
  locale: Type.String(),
  time_zone: Type.String(),
  status: OneOf(['enabled', 'pending', 'deleted']),
}

const MemberItem = Type.Object({
  ...shared,
  member_id: Id,
  member_name: Type.String(),
  country_code: Type.String(),
  /** 1: owner; 2: admin; 3: member. */
  account_role_ids: Type.Array(Id),
  is_external: Type.Boolean(),
  ref_id: Type.String(),
  /** Unix time in seconds. */
  created_at: Instant,
  updated_at: Instant,
})

const PersonItem = Type.Object({
  ...shared,
  person_id: Id,
  person_name: Type.String(),
  /** Always `member`, because the list contains no accounts. */
  as: Type.String(),
})

const ROLES = ['owner', 'admin', 'member']

function sharedBy({ email = '' }: SeededMember, { id, timezone }: Account) {
  const none = { avatar: '', locale: 'en-US', phone: '', phone_verified: false, status: 'enabled' as const }
  return { ...none, account_id: id, time_zone: timezone, email, email_verified: email !== '' }
}

function toMember(member: SeededMember, account: Account): Static<typeof MemberItem> {
  const { person_id, name, role, created_at = 0, updated_at = created_at } = member
  return {
    ...sharedBy(member, account),
    member_id: person_id,
    member_name: name,
    country_code: '',
    account_role_ids: [ROLES.indexOf(role) + 1],
    is_external: false,
    ref_id: '',
    created_at,
    updated_at,
  }
}

export const memberList = defineOperation({
  path: '/member/list',
  name: 'member:read:list',
  title: { en: 'List members', zh: '查看成员列表' },
  isBodyOptional: true,
  body: Optional({
    p: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    orderby: OneOf(['created_at', 'updated_at']),
    asc: Type.Boolean(),
    /** Part of a name or email address. */
    query: Type.String(),
    role_id: Id,
  }),
  data: Type.Object({ p: Type.Integer(), limit: Type.Integer(), total: Type.Integer(), items: Type.Array(MemberItem) }),
  example: { p: 1, limit: 20, query: 'Alice' },
  async run({ caller: { account }, resources }, { p = 1, limit = 20, ...filter }) {
    const { orderby = 'created_at', asc = false, query = '', role_id = 0 } = filter
    const part = query.toLowerCase()
    const found = [...(await resources.of(account.id)).member.values()]
      .map((member) => toMember(member, account))
      .filter(({ member_name, email, account_role_ids }) => {
        if (role_id !== 0 && !account_role_ids.includes(role_id)) return false
        return `${member_name}\n${email}`.toLowerCase().includes(part)
      })
      .sort((a, b) => a[orderby] - b[orderby] || (a.member_id < b.member_id ? -1 : 1))
    if (!asc) found.reverse()
    return { p, limit, total: found.length, items: found.slice((p - 1) * limit, p * limit) }
  },
})

/** Returns people in the requested order and skips unknown ids. */
export const personInfos = defineOperation({
  path: '/person/infos',
  name: 'person:read:infos',
  title: { en: 'Batch get persons', zh: '批量查看人员' },
  body: Type.Object({ person_ids: Type.Array(Id, { maxItems: 1000 }) }),
  data: Type.Object({ items: Type.Array(PersonItem) }),
  example: { person_ids: [80011, 80012] },
  async run({ caller: { account }, resources }, { person_ids }) {
    const { member: members } = await resources.of(account.id)
    const found = [...new Set<Int64>(person_ids)].flatMap((id) => members.get(id) ?? [])
    const items = found.map((member) => ({
      ...sharedBy(member, account),
      person_id: member.person_id,
      person_name: member.name,
      as: 'member',
    }))
    return { items }
  },
})
