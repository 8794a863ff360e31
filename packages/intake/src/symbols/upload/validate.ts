import { type Accepted, type AcceptedKind, UPLOAD_KINDS } from '@symup/core'
import { readHead, textOf } from '@symup/core/internal'
import { fileNameOf, urlPath } from '@symup/core/resolving'
import { invalidParameter } from '../../platform/errors.ts'
import { MASK, maskAddresses, withoutSecrets } from '../../platform/secrets.ts'
import { excessOf, MAX_DEPTH } from '../../platform/wire/json-body.ts'
import type { StagedBlob } from '../store/blobs.ts'
import type { NewArtifact } from '../store/store.ts'
import { REPOSITORY, type ReceivedBody } from './receive.ts'

/** Maximum number of values. The dSYM archive of a large app has about a thousand UUIDs, and an event has about thirty other fields. */
const MAX_VALUES = 2000
/** Maximum number of characters. Real names, versions and URLs are shorter. */
const MAX_TEXT = 8192

/**
 * Removes `null` fields.
 * @throws ApiError if the event is not a JSON object, exceeds a limit, or contains characters that databases cannot store.
 */
function readEvent(text: string | undefined): Record<string, unknown> {
  if (text === undefined) throw invalidParameter('event', 'The part is missing.')
  const excess = excessOf(text, MAX_VALUES)
  if (excess === 'values') throw invalidParameter('event', `The event contains more than ${MAX_VALUES} values.`)
  if (excess === 'depth') throw invalidParameter('event', `The value is nested more than ${MAX_DEPTH} levels deep.`)
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw invalidParameter('event', 'The value is not valid JSON.')
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw invalidParameter('event', 'The value is not a JSON object.')
  checkValue(event)
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null))
}

function checkValue(value: unknown): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidParameter('event', 'A number is too large.')
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    checkText(name)
    checkValue(item)
  }
}

/** Characters that databases cannot store: NUL characters and lone surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/u

function checkText(text: string): void {
  if (text.length > MAX_TEXT) throw invalidParameter('event', `A string is longer than ${MAX_TEXT} characters.`)
  if (UNSTORABLE.test(text)) throw invalidParameter('event', 'A string contains a character that cannot be stored.')
}

type Described = Omit<NewArtifact, 'account_id' | 'origin' | 'origin_version' | 'request_id'>
type Event = Readonly<Record<string, unknown>>

/** @throws ApiError with the name of the invalid field. */
export async function validate({ texts, files }: ReceivedBody): Promise<Described> {
  // Repository URLs often contain a token. Secrets are removed, because users can see stored events.
  const event = withoutSecrets(readEvent(texts.get('event')), MASK)
  const kind = typeof event.type === 'string' ? UPLOAD_KINDS.get(event.type) : undefined
  if (!kind) throw invalidParameter('event.type', 'The type is unknown.')
  checkFields(kind, event)
  const repository = readRepository(texts.get(REPOSITORY))
  if (kind.type === REPOSITORY && repository.wrong !== undefined) throw invalidParameter(REPOSITORY, repository.wrong)
  for (const name of kind.parts.required) {
    if (!files.some((part) => part.name === name)) throw invalidParameter(name, 'The part is missing.')
  }
  for (const { name, blob } of files) if (blob.bytes === 0) throw invalidParameter(name, 'The file is empty.')
  const parts = new Map(files.map(({ name, blob }) => [name, blob]))
  await refuseOtherContent(kind, parts)
  const found: Awaited<ReturnType<NonNullable<AcceptedKind['accept']>>> = await kind.accept?.({
    event,
    parts,
  })
  if (found && 'refused' in found) throw invalidParameter(found.refused, found.why)
  return described(kind, event, found ?? {}, texts, repository)
}

function described(
  kind: AcceptedKind,
  event: Event,
  found: Accepted,
  texts: ReadonlyMap<string, string>,
  repository: Repository,
): Described {
  const service = textOf(event, 'service') ?? ''
  const version = textOf(event, 'version') ?? ''
  const path = found.address === undefined ? '' : urlPath(found.address)
  const debugId = textOf(event, 'debug_id')?.toLowerCase()
  const repositoryUrl = textOf(event, 'git_repository_url') ?? texts.get('git_repository_url') ?? repository.url
  return {
    identity: JSON.stringify([
      kind.type,
      service,
      version,
      path,
      kind.event.tellsApart === false ? undefined : fieldsOf(event),
      // Uploads without a URL are identified by their debug id.
      path === '' || service === '' || version === '' ? debugId : undefined,
      ...(found.identity ?? []),
    ]),
    kind: kind.type,
    platform: found.platform ?? kind.platform,
    service,
    version,
    path,
    file_name: found.fileName ?? fileNameOf(path),
    debug_id: debugId ?? null,
    build_id: found.buildId ?? textOf(event, 'build_id') ?? textOf(event, 'gnu_build_id') ?? null,
    uuids: (Array.isArray(event.uuids) ? textsIn(event.uuids).join(',') : textOf(event, 'uuids')) ?? null,
    git_repository_url: repositoryUrl === undefined ? null : maskAddresses(repositoryUrl),
    git_commit_sha: textOf(event, 'git_commit_sha') ?? texts.get('git_commit_sha') ?? repository.commit ?? null,
    event: JSON.stringify(event),
  }
}

const textsIn = (list: unknown[]) => list.filter((it) => typeof it === 'string')

/** The service and the version must be strings. The version can be empty, because some builds have no version name. */
function checkFields({ event: { required } }: AcceptedKind, event: Event): void {
  for (const field of ['service', 'version', ...required]) {
    const value = event[field]
    if (value === '' && field === 'version') continue
    const isAbsent = value === undefined || value === ''
    if (isAbsent && !required.includes(field)) continue
    if (typeof value !== 'string' || isAbsent) throw invalidParameter(`event.${field}`)
  }
}

/** Rejects content that clearly belongs to a different kind of upload. */
async function refuseOtherContent(
  { type, content, parts: { required } }: AcceptedKind,
  parts: ReadonlyMap<string, StagedBlob>,
): Promise<void> {
  const part = parts.get(required[0] ?? '')
  const head = await readHead(part?.content ?? part?.path ?? '')
  const other = [...UPLOAD_KINDS.values()].find((kind) => kind.content !== content && kind.content?.is(head))?.content
  if (other === undefined) return
  const right = [...UPLOAD_KINDS.values()].filter((kind) => kind.content === other).map((kind) => kind.type)
  const as = (or: string) => right.slice(0, 2).join(or)
  throw invalidParameter('event.type', {
    en: `The file is ${other.name}. Send the file as ${as(' or ')}, not as ${type}.`,
    zh: `该文件应以 ${as(' 或 ')} 而不是 ${type} 上传。`,
  })
}

/** Content of the `repository` part, which uploaders other than symup send with their `git-metadata` commands. */
interface Repository {
  url?: string | undefined
  commit?: string | undefined
  wrong?: string
}

function readRepository(text: string | undefined): Repository {
  if (text === undefined) return { wrong: 'The part is missing.' }
  let data: unknown
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data
  } catch {
    return { wrong: 'The value is not valid JSON.' }
  }
  if (!Array.isArray(data)) return { wrong: 'The `data` list is missing.' }
  const [first] = data as unknown[]
  if (typeof first !== 'object' || first === null) return {}
  const record = first as Record<string, unknown>
  return { url: textOf(record, 'repository_url'), commit: textOf(record, 'hash') }
}

/** Returns the fields that distinguish artifacts of the same kind, service and version. */
function fieldsOf(event: Event): unknown {
  const { cli_version: _, git_repository_url: __, git_commit_sha: ___, ...rest } = event
  return Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
}
