import type { BinaryImage } from '@symup/symbolicate'
import { type MapViewer, platformOf } from '@symup/symbolicate/internal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Directory } from '../platform/accounts/directory.ts'
import { ApiError, invalidParameter, notFound } from '../platform/errors.ts'
import { describeFault, type FaultSwitch, parseFault } from '../platform/faults/fault.ts'
import type { IntakeEvents } from '../platform/http/events.ts'
import { whenGone } from '../platform/http/gone.ts'
import { isOwnHost, notServedAs } from '../platform/http/host-check.ts'
import { checked } from '../platform/wire/validator.ts'
import { answerOf, enrichStack, StackBody, type SymbolServices, startOf } from '../symbols/room.ts'
import { type Exchange, type InspectorAnswers, type InspectorPosts, LIVE_EVENTS } from './api.ts'
import { compareReleases, mapChanges } from './compare.ts'
import { guess, withPaths } from './guess.ts'
import { LiveErrors, UnknownRelease } from './live-errors/live-errors.ts'
import { type ReportedError, routeLiveErrors } from './live-errors/read-batch.ts'
import { type OperationsContext, operationsState } from './operations.ts'
import { routePage, SECURITY_HEADERS } from './page.ts'
import { readPasted } from './paste.ts'
import { createProofs, lookAt, type MapContext } from './proofs.ts'
import { createRecorder } from './recorder.ts'
import { listReleases, listServices, releaseDetails } from './releases.ts'
import { accountOf, listUploads, senderOf, uploadDetails } from './uploads.ts'

export interface InspectorContext extends SymbolServices {
  symbolicator: SymbolServices['symbolicator'] & MapViewer
  directory: Directory
  events: IntakeEvents
  faults?: FaultSwitch
  hosts: ReadonlySet<string>
  rum: boolean
  /** Absent if the intake does not serve the on-call room. */
  operations?: OperationsContext
}

const UNNAMED = { en: 'The value is missing in the form and in the event.', zh: '表单和事件中都没有。' }
const NO_FAULTS = {
  en: 'Faults are not available on an intake that other machines can reach.',
  zh: '可被其他机器访问的接收服务不注入故障。',
}

const HEARTBEAT_MS = 15_000
/** The page has no login, so the intake sends it only these public keys from the default seed. */
const PUBLIC_KEYS = { api: 'dev-api-key', app: 'dev-app-key' }
const TITLED: ReadonlySet<string> = new Set(['stack', 'event', 'har', 'console'])
const TITLE_LENGTH = 500

type Query = Record<string, string | undefined>

/** All routes are read-only, except the route that sets faults, which requires an app key. */
export function routeInspector(app: FastifyInstance, context: InspectorContext): void {
  const { store, directory, events, hosts } = context
  const recorder = createRecorder(events)
  const proofs = createProofs(store, context.symbolicator)
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwnHost(request.raw, hosts)) throw notServedAs(request.headers.host ?? '')
    reply.headers({ ...SECURITY_HEADERS, 'Cache-Control': 'no-store' })
  })
  routePage(app)

  const { get, post } = askedOn(app)
  const rejections = () => recorder.rejections()
  get('services', () => listServices(store, rejections()))
  get('releases', (query) => listReleases(store, paged(query), rejections()))
  get('release', async ({ service = '', version = '' }) => {
    const details = await releaseDetails(store, { service, version }, rejections())
    if (details === undefined) throw notFound('release', `${service} ${version}`.trim())
    return details
  })
  get('proof', ({ id, service = '', version = '' }, signal) =>
    proofs.of(id === undefined ? { service, version } : { id }, signal),
  )
  get('compare', ({ service = '', from = '', to = '' }) => compareReleases(store, service, { from, to }))
  get('uploads', (query) => listUploads(store, paged(query)))
  get('upload', async (query) => found(await uploadDetails(store, idOf(query)), query))
  routeMaps(get, context)
  get('rejections', rejections)
  get('requests', () => recorder.requests())
  get('exchange', (query): Exchange => {
    const exchange = recorder.exchange(idOf(query))
    if (!exchange) throw notFound('request', idOf(query))
    return exchange
  })
  const { operations } = context
  if (operations) get('operations', () => operationsState(operations, recorder.isOncallUsed()))
  get('fault', () => ({ fault: faultText(context.faults) }))
  const liveErrors = context.rum ? openLiveErrors(app, context) : undefined
  get('live-errors', () => ({ isOn: liveErrors !== undefined, items: liveErrors?.list() ?? [] }))
  app.get('/inspector/api/events', async (request, reply) => streamEvents(request, reply, events))

  get('keys', () => ({
    api: directory.uploadKeys.find(PUBLIC_KEYS.api) ? PUBLIC_KEYS.api : null,
    app: directory.appKeys.find(PUBLIC_KEYS.app) ? PUBLIC_KEYS.app : null,
  }))
  post('guess', ({ text }) => guess(store, textIn(text)))
  post('explain', (asked, _request, reply) => explainPasted(context, asked, reply))
  post('fault', ({ fault }, { headers }) => setFault(context, fault, headers['x-app-key']))
}

type Get = ReturnType<typeof askedOn>['get']

function askedOn(app: FastifyInstance) {
  return {
    get: <K extends keyof InspectorAnswers>(
      name: K,
      answer: (query: Query, signal: AbortSignal) => InspectorAnswers[K] | Promise<InspectorAnswers[K]>,
    ) =>
      app.get(`/inspector/api/${name}`, async ({ query, id }, reply) => {
        const data = await answerOf(answer(query as Query, whenGone(reply.raw)))
        return { request_id: id, data }
      }),
    post: <K extends keyof InspectorPosts>(
      name: K,
      answer: (
        body: InspectorPosts[K]['body'],
        request: FastifyRequest,
        reply: FastifyReply,
      ) => InspectorPosts[K]['answer'] | Promise<InspectorPosts[K]['answer']>,
    ) =>
      app.post(`/inspector/api/${name}`, async (request, reply) => {
        const body = (request.body ?? {}) as InspectorPosts[K]['body']
        return { request_id: request.id, data: await answer(body, request, reply) }
      }),
  }
}

function routeMaps(get: Get, context: MapContext): void {
  get('changes', (query, signal) => mapChanges(context, idOf(query), signal))
  get('sources', async (query, signal) => found(await lookAt(context, idOf(query), { view: 'sources' }, signal), query))
  get('source', async (query, signal) =>
    found(await lookAt(context, idOf(query), { view: 'source', index: number(query.index, 0) }, signal), query),
  )
  get('generated', async (query, signal) => {
    const place = { line: number(query.line, 1), column: number(query.column, 1) }
    return found(await lookAt(context, idOf(query), { view: 'generated', ...place }, signal), query)
  })
  get('position', async (query, signal) => {
    const place = { index: number(query.index, 0), line: number(query.line, 1), column: number(query.column, 1) }
    return found(await lookAt(context, idOf(query), { view: 'position', ...place }, signal), query)
  })
}

type Explained = InspectorPosts['explain']

/**
 * Values from the form take precedence over values in the pasted text.
 * @throws ApiError
 */
async function explainPasted(
  context: InspectorContext,
  asked: Explained['body'],
  reply: FastifyReply,
): Promise<Explained['answer']> {
  const { store, directory } = context
  const { stack, form, ...known } = readPasted(textIn(asked.text))
  const type = asked.type || platformOf(startOf(stack))
  // Files for Apple platforms are found by UUID, regardless of the release.
  const anyRelease = type === 'ios' ? '-' : undefined
  const service = asked.service || known.service || anyRelease
  const version = asked.version || known.version || anyRelease
  if (!service) throw invalidParameter('service', UNNAMED)
  if (!version) throw invalidParameter('version', UNNAMED)
  const evidence = {
    ...(known.debugIds && { debug_ids: known.debugIds }),
    ...(known.time !== undefined && { event_time: known.time }),
    ...(known.images && { binary_images: known.images.map(wireImage) }),
  }
  const shown = type === 'browser' ? await withPaths(store, stack, { service, version }) : stack
  const question = await checked(StackBody, { ...asked, ...evidence, type, stack: shown, service, version, near: 5 })
  const account = await accountOf(store, directory, question.service)
  const answer = await enrichStack(context, account, question, () => whenGone(reply.raw))
  const release = await releaseDetails(store, { service: question.service, version: question.version }, [])
  return {
    ...answer,
    service: question.service,
    version: question.version,
    type,
    commit: release?.commit ?? null,
    title: TITLED.has(form) ? titleOf(stack, answer.frames) : '',
    sender: await senderOf(store, question.service),
  }
}

/** Returns the first line unless it is a frame. The first line usually contains the error message. */
function titleOf(stack: string, frames: Explained['answer']['frames']): string {
  const [title = ''] = stack.trimStart().slice(0, TITLE_LENGTH).split('\n', 1)
  return frames.some(({ raw }) => raw.trim() === title.trim()) ? '' : title.trim()
}

function setFault(
  { directory, faults, events }: InspectorContext,
  fault: string | undefined,
  appKey: string | string[] | undefined,
) {
  if (!directory.appKeys.find(appKey)) throw new ApiError('Unauthorized')
  if (!faults) throw new ApiError('AccessDenied', NO_FAULTS)
  try {
    faults.set(fault ? parseFault(fault) : undefined)
  } catch (error) {
    throw invalidParameter('fault', {
      en: (error as Error).message,
      zh: '可用的写法如 429;retry-after=2;rate=0.3。',
    })
  }
  events.emit('fault')
  return { fault: faultText(faults) }
}

function idOf(query: Query): string {
  return query.id ?? ''
}

function found<T>(value: T | undefined, query: Query): T {
  if (value === undefined) throw notFound('upload', idOf(query))
  return value
}

function paged(query: Query) {
  return { ...query, offset: number(query.offset, 0), limit: number(query.limit, 100) }
}

function openLiveErrors(app: FastifyInstance, context: InspectorContext): LiveErrors {
  const { store, directory, events } = context
  const resolve = async ({ service, version, stack }: Pick<ReportedError, 'service' | 'version' | 'stack'>) => {
    if (service === '' || version === '') throw new UnknownRelease()
    const question = { service, version, stack, type: 'browser' as const, near: 1 }
    const account = await accountOf(store, directory, service)
    const { frames } = await enrichStack(context, account, question, () => new AbortController().signal)
    return frames
  }
  const errors = new LiveErrors({
    resolve,
    onChange: () => events.emit('live-error'),
    now: Date.now,
  })
  events.on('upload', () => errors.retry())
  app.addHook('onClose', async () => errors.close())
  app.register(async (scope) => routeLiveErrors(scope, errors))
  return errors
}

function textIn(text: unknown): string {
  return typeof text === 'string' ? text : ''
}

function wireImage({ uuid, name, isSystem, loadAddress, maxAddress, arch }: BinaryImage): object {
  return { uuid, name, is_system: isSystem, load_address: loadAddress, max_address: maxAddress, arch }
}

/** Streams server-sent events that tell the page what has changed. The page then requests the new data. */
function streamEvents(request: FastifyRequest, reply: FastifyReply, events: IntakeEvents): void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  raw.write('retry: 1000\n\n')
  const listeners = LIVE_EVENTS.map((name) => {
    // Skips events while the connection is congested. The next event causes the page to reload everything.
    const listener = () => void (raw.writableNeedDrain || raw.write(`event: ${name}\ndata: {}\n\n`))
    events.on(name, listener)
    return () => events.off(name, listener)
  })
  const heartbeat = setInterval(() => raw.writableNeedDrain || raw.write(': alive\n\n'), HEARTBEAT_MS)
  request.raw.once('close', () => {
    clearInterval(heartbeat)
    for (const stop of listeners) stop()
  })
}

function faultText(faults: FaultSwitch | undefined): string {
  const fault = faults?.current()
  return fault ? describeFault(fault) : ''
}

function number(text: string | undefined, otherwise: number): number {
  const value = Number(text)
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : otherwise
}
