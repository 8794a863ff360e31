import type { Account } from '../../platform/accounts/directory.ts'
import type { SeededTeam } from '../../platform/accounts/seeded-account.ts'
import { invalidParameter, notFound } from '../../platform/errors.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { Id, Instant, OneOf, Optional, type Static, Type } from '../../platform/wire/schema.ts'
import type { Resources } from '../resource/resources.ts'

// Times are Unix timestamps in seconds. Source of the fields: the service's API reference.

export const TeamItem = Type.Object({
  account_id: Id,
  team_id: Id,
  team_name: Type.String(),
  description: Type.String(),
  status: OneOf(['enabled', 'disabled']),
  /** Id of the team in another system. */
  ref_id: Type.String(),
  person_ids: Type.Array(Id),
  creator_id: Id,
  creator_name: Type.String(),
  updated_by: Id,
  updated_by_name: Type.String(),
  created_at: Instant,
  updated_at: Instant,
})

/** Fields that identify a team. Callers need to set only one of these fields. */
export const TeamChoice = Optional({ team_id: Id, team_name: Type.String(), ref_id: Type.String() })

export function personsOf({ member: members }: Resources, teamId: Int64): Int64[] {
  return [...members.values()].filter(({ team_ids }) => team_ids?.includes(teamId)).map(({ person_id }) => person_id)
}

export function toItem(team: SeededTeam, account: Account, resources: Resources): Static<typeof TeamItem> {
  const { team_id, name, description = '', ref_id = '', created_at = 0, updated_at = created_at } = team
  const { creator_id = 0, updated_by = creator_id } = team
  const nameOf = (id: Int64) => resources.member.get(id)?.name ?? ''
  return {
    account_id: account.id,
    team_id,
    team_name: name,
    description,
    status: 'enabled',
    ref_id,
    person_ids: personsOf(resources, team_id),
    creator_id,
    creator_name: nameOf(creator_id),
    updated_by,
    updated_by_name: nameOf(updated_by),
    created_at,
    updated_at,
  }
}

/** @throws ApiError if no field is set or the team does not exist. */
export function chosenTeam(choice: Static<typeof TeamChoice>, { team: teams }: Resources): SeededTeam {
  const { team_id = 0, team_name = '', ref_id = '' } = choice
  const named = team_id !== 0 ? 'team_id' : ref_id !== '' ? 'ref_id' : 'team_name'
  if (named === 'team_name' && team_name === '') throw invalidParameter('team_id')
  const found = [...teams.values()].find((team) =>
    named === 'team_id'
      ? team.team_id === team_id
      : named === 'ref_id'
        ? team.ref_id === ref_id
        : team.name === team_name,
  )
  if (!found) throw notFound(named, choice[named])
  return found
}
