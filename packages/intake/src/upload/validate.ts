import { open, readFile } from 'node:fs/promises'
import { sourceMapJson, UPLOAD_KINDS } from '@symup/core'
import { fileNameOf, urlPath } from '@symup/symbolicate'
import { invalidParameter } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { NewArtifact } from '../store/store.ts'
import { arktsModules, breakpadModule, checkContent } from './content-kind.ts'
import type { ReceivedBody } from './receive.ts'

type Described = Omit<NewArtifact, 'account_id' | 'origin' | 'origin_version' | 'request_id'>

/**
 * Checks that an upload is complete and is what it says.
 * @throws ApiError naming the field that is wrong.
 */
export async function validate({ texts, files }: ReceivedBody, limits: Limits): Promise<Described> {
  const event = parseEvent(texts.get('event'))
  const type = event.type
  if (typeof type !== 'string' || !Object.hasOwn(UPLOAD_KINDS, type))
    throw invalidParameter('event.type', 'It is no known type.')
  const kind = UPLOAD_KINDS[type] as (typeof UPLOAD_KINDS)[string]
  for (const field of ['service', 'version', ...kind.requiredFields]) {
    const value = event[field]
    const isAbsent = value === undefined || value === ''
    if (isAbsent && !kind.requiredFields.includes(field)) continue
    if (typeof value !== 'string' || isAbsent) throw invalidParameter(`event.${field}`)
  }
  const debugId = textOf(event, 'debug_id')?.toLowerCase()
  if (type === 'js_sourcemap' && !debugId && (!textOf(event, 'service') || !textOf(event, 'version'))) {
    throw invalidParameter(
      textOf(event, 'service') ? 'event.version' : 'event.service',
      'Only a map with a debug id can do without.',
    )
  }
  for (const name of kind.requiredParts) {
    if (!files.some((part) => part.name === name)) throw invalidParameter(name, 'The part is missing.')
  }
  for (const { name, blob } of files) {
    if (blob.bytes === 0) throw invalidParameter(name, 'The file is empty.')
    await checkContent(type, name, blob.path)
    if (name === 'source_map' && type !== 'harmony_sourcemap') await checkSourceMap(blob.path, blob.bytes, limits)
  }
  const map = files.find((part) => part.name === 'source_map')
  const modules = type === 'harmony_sourcemap' && map ? await arktsModules(map.blob.path) : undefined
  const service = textOf(event, 'service') ?? ''
  const version = textOf(event, 'version') ?? ''
  const symbols = files.find((part) => part.name === 'symbol_file')
  const breakpad = type === 'electron_symbol_file' && symbols ? await breakpadModule(symbols.blob.path) : undefined
  const path = pathOf(event, type)
  const buildId = breakpad?.id ?? textOf(event, 'build_id') ?? textOf(event, 'gnu_build_id')
  const uuids = Array.isArray(event.uuids) ? event.uuids.join(',') : textOf(event, 'uuids')
  const repository = repositoryOf(texts.get('repository'))
  return {
    identity: JSON.stringify([
      type,
      service,
      version,
      path,
      identityOf(event, type),
      // Without a place of its own it is told apart by its id.
      path === '' || service === '' || version === '' ? debugId : undefined,
      // Modules of an app have the same event; only their maps say which one they are.
      ...(modules ?? []),
      ...(breakpad ? [breakpad.id] : []),
    ]),
    kind: type,
    platform: MOBILE.has(type) && event.platform === 'ios' ? 'ios' : kind.platform,
    service,
    version,
    path,
    file_name: breakpad?.name ?? fileNameOf(path),
    debug_id: debugId ?? null,
    build_id: buildId ?? null,
    uuids: uuids ?? null,
    git_repository_url:
      textOf(event, 'git_repository_url') ?? texts.get('git_repository_url') ?? repository.url ?? null,
    git_commit_sha: textOf(event, 'git_commit_sha') ?? texts.get('git_commit_sha') ?? repository.commit ?? null,
    event: JSON.stringify(event),
  }
}

/** Kinds whose event says which system they are for. */
const MOBILE: ReadonlySet<string> = new Set(['flutter_symbol_file'])

/** Under which path stacks find it; '' for kinds that have none. Stacks of React Native name the bundle, wherever it lies on the device. */
function pathOf(event: Record<string, unknown>, type: string): string {
  if (type === 'js_sourcemap') return urlPath(textOf(event, 'minified_url') ?? '')
  if (type !== 'react_native_sourcemap') return ''
  const name = textOf(event, 'bundle_name') ?? BUNDLE_NAMES[String(event.platform)]
  return name === undefined ? '' : `/${fileNameOf(urlPath(name))}`
}

/** As React Native's own build scripts call the bundle; for clients that do not say. */
const BUNDLE_NAMES: Readonly<Record<string, string>> = { android: 'index.android.bundle', ios: 'main.jsbundle' }

/** What the part `repository` says; it is optional, so one that cannot be read says nothing. */
function repositoryOf(text: string | undefined): { url?: string | undefined; commit?: string | undefined } {
  try {
    const { data } = JSON.parse(text ?? '{}') as { data?: unknown }
    const [first] = Array.isArray(data) ? (data as unknown[]) : []
    if (typeof first !== 'object' || first === null) return {}
    const record = first as Record<string, unknown>
    return { url: textOf(record, 'repository_url'), commit: textOf(record, 'hash') }
  } catch {
    return {}
  }
}

/** What tells two artifacts of one kind, service and version apart. */
function identityOf(event: Record<string, unknown>, type: string): unknown {
  if (type === 'js_sourcemap') return undefined
  const { cli_version: _, git_repository_url: __, git_commit_sha: ___, ...rest } = event
  return Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
}

function parseEvent(text: string | undefined): Record<string, unknown> {
  if (text === undefined) throw invalidParameter('event', 'The part is missing.')
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw invalidParameter('event', 'It is not JSON.')
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw invalidParameter('event', 'It is not a JSON object.')
  return event as Record<string, unknown>
}

function textOf(event: Record<string, unknown>, field: string): string | undefined {
  const value = event[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

async function checkSourceMap(path: string, bytes: number, { parsedMapBytes }: Limits): Promise<void> {
  if (bytes > parsedMapBytes) {
    const file = await open(path)
    const { buffer, bytesRead } = await file
      .read({ buffer: Buffer.alloc(256), position: 0 })
      .finally(() => file.close())
    const start = sourceMapJson(buffer.subarray(0, bytesRead).toString('utf8'))
    if (!start.trimStart().startsWith('{')) throw invalidParameter('source_map', 'It is not JSON.')
    return
  }
  let map: Record<string, unknown>
  try {
    map = JSON.parse(sourceMapJson(await readFile(path, 'utf8')))
  } catch {
    throw invalidParameter('source_map', 'It is not JSON.')
  }
  const isMap =
    typeof map === 'object' && map !== null && (typeof map.mappings === 'string' || Array.isArray(map.sections))
  if (!isMap || Number(map.version) !== 3) throw invalidParameter('source_map', 'It is not a source map of version 3.')
}
