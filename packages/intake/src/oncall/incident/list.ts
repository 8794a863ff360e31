import type { Caller } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import { invalidParameter } from '../../platform/errors.ts'
import { Id, Instant, Optional, type Static, Type } from '../../platform/wire/schema.ts'
import { yieldingToOthers } from '../../platform/yielding.ts'
import { SEVERITIES } from '../automation-rule/schema.ts'
import { among, manages } from '../channel/list.ts'
import { defineOperation } from '../operation.ts'
import type { Resources } from '../resource/resources.ts'
import { toItem } from './info.ts'
import { type Incident, IncidentItem, PROGRESSES } from './schema.ts'
import { read } from './store.ts'

const Ids = Type.Array(Id, { maxItems: 1000 })
const Texts = Type.Array(Type.String(), { maxItems: 1000 })
const LIMIT = 20
const MAX_LIMIT = 100
/** Maximum number of incidents to filter. Older incidents in the time range are ignored. */
const MAX_LOOKED_AT = 10_000

const filters = {
  asc: Type.Boolean(),
  is_snoozed: Type.Boolean(),
  is_my_team: Type.Boolean(),
  /** Members manage the channels of their teams and the channels that they created. */
  is_my_channel: Type.Boolean(),
  ever_muted: Type.Boolean(),
  /** Comma-separated list. */
  progress: Type.String(),
  /** Comma-separated list. */
  incident_severity: Type.String(),
  /** Part of a title or description, an incident id, or a `num`. */
  query: Type.String(),
  title: Type.String(),
  channel_ids: Ids,
  team_ids: Ids,
  responder_ids: Ids,
  acker_ids: Ids,
  creator_ids: Ids,
  closer_ids: Ids,
  incident_ids: Texts,
  nums: Texts,
  /** One-based page number. If the value is less than 1, the default is used. */
  p: Type.Integer({ maximum: 10_000, default: 1 }),
  /** If the value is less than 1, the default is used. */
  limit: Type.Integer({ maximum: MAX_LIMIT, default: LIMIT }),
  /** Cursor from the previous response. If set, `p` is ignored. */
  search_after_ctx: Type.String({ maxLength: 64 }),
}

const Body = Type.Extended(Optional(filters), { start_time: Instant, end_time: Instant })
type Body = Static<typeof Body>

export const incidentList = defineOperation({
  path: '/incident/list',
  name: 'incident:read:list',
  title: { en: 'List incidents', zh: '查看故障列表' },
  permissions: ['Incidents Read', 'Incidents Manage'],
  body: Body,
  data: Type.Object({
    items: Type.Array(IncidentItem),
    total: Type.Integer(),
    has_next_page: Type.Boolean(),
    search_after_ctx: Type.String(),
  }),
  example: { start_time: 1_767_225_600, end_time: 1_798_761_600, progress: 'Triggered,Processing', limit: 20 },
  async run({ database, caller, resources, now }, body) {
    const { start_time, end_time, asc = false, search_after_ctx: after = '' } = body
    if (start_time > end_time)
      throw invalidParameter('end_time', { en: 'The time is before start_time.', zh: '早于 start_time。' })
    const { account } = caller
    const owned = await resources.of(account.id)
    const isWanted = filterOf(body, caller, owned, Math.floor(now() / 1000))
    const found = await lookAt(database, account.id, { start_time, end_time }, isWanted)
    if (asc) found.reverse()
    const limit = (body.limit ?? 0) > 0 ? (body.limit as number) : LIMIT
    const from = after ? placeAfter(found, after, asc) : (Math.max(body.p ?? 1, 1) - 1) * limit
    const page = found.slice(from, from + limit)
    return {
      items: page.map((incident) => toItem(incident, account, owned)),
      total: found.length,
      has_next_page: found.length > from + limit,
      search_after_ctx: page.at(-1) ? placeOf(page.at(-1) as Incident) : '',
    }
  },
})

async function lookAt(
  { scans }: Database,
  accountId: number,
  { start_time, end_time }: Pick<Body, 'start_time' | 'end_time'>,
  isWanted: (incident: Incident) => boolean,
): Promise<Incident[]> {
  const rows = await scans
    .selectFrom('incident')
    .select('document')
    .where('account_id', '=', accountId)
    .where('start_time', '>=', start_time)
    .where('start_time', '<=', end_time)
    .orderBy('start_time', 'desc')
    .orderBy('incident_id', 'desc')
    .limit(MAX_LOOKED_AT)
    .execute()
  const found: Incident[] = []
  const yieldToOthers = yieldingToOthers()
  for (const { document } of rows) {
    const incident = read(document)
    if (isWanted(incident)) found.push(incident)
    await yieldToOthers()
  }
  return found
}

/** Returns a key for sorting incidents by start time and then by id. */
function placeOf({ start_time, incident_id }: Pick<Incident, 'start_time' | 'incident_id'>): string {
  return `${String(start_time).padStart(16, '0')}-${incident_id}`
}

/**
 * Returns the index of the first incident after the cursor. The search compares positions, because the last incident on the previous page
 * may have been deleted or may no longer match the filter.
 */
function placeAfter(found: readonly Incident[], after: string, asc: boolean): number {
  if (!/^\d{16}-[0-9a-f]{24}$/.test(after)) throw invalidParameter('search_after_ctx')
  const next = found.findIndex((incident) => (asc ? placeOf(incident) > after : placeOf(incident) < after))
  return next < 0 ? found.length : next
}

/** @throws ApiError for unknown values. */
function oneOf(name: string, text: string | undefined, known: readonly string[]): string[] {
  const words = text ? text.split(',').map((word) => word.trim()) : []
  if (!words.every((word) => known.includes(word)))
    throw invalidParameter(name, {
      en: `Allowed values: ${known.join(', ')}.`,
      zh: `取值：${known.join('、')}。`,
    })
  return words
}

function filterOf(filter: Body, { member }: Caller, { channel: channels }: Resources, seconds: number) {
  const progresses = oneOf('progress', filter.progress, PROGRESSES)
  const severities = oneOf('incident_severity', filter.incident_severity, SEVERITIES)
  const [ids, nums] = [filter.incident_ids, filter.nums].map((list = []) => list.map((id) => id.toLowerCase()))
  const [part = '', words = ''] = [filter.title, filter.query].map((text) => text?.toLowerCase())
  return (incident: Incident): boolean => {
    const { incident_id, title, description, responders } = incident
    const channel = channels.get(incident.channel_id)
    const team = channel?.team_id ?? 0
    const num = incident_id.slice(-6)
    const ackers = responders.filter(({ acknowledged_at }) => acknowledged_at > 0)
    return (
      among(filter.channel_ids, [incident.channel_id]) &&
      among(filter.team_ids, [team]) &&
      among(filter.creator_ids, [incident.creator_id]) &&
      among(filter.closer_ids, [incident.closer_id]) &&
      among(filter.responder_ids, responders.map(personOf)) &&
      among(filter.acker_ids, ackers.map(personOf)) &&
      among(progresses, [incident.progress]) &&
      among(severities, [incident.incident_severity]) &&
      among(ids, [incident_id]) &&
      among(nums, [num]) &&
      title.toLowerCase().includes(part) &&
      (`${title}\n${description}`.toLowerCase().includes(words) || incident_id === words || num === words) &&
      (filter.is_snoozed === undefined || filter.is_snoozed === incident.snoozed_before > seconds) &&
      // The intake never mutes incidents.
      !filter.ever_muted &&
      (!filter.is_my_team || member.teamIds.has(team)) &&
      (!filter.is_my_channel || (channel !== undefined && manages(member, channel)))
    )
  }
}

const personOf = ({ person_id }: Incident['responders'][number]) => person_id
