import type { Explanation } from '@symup/symbolicate'
import { readEnrichedAnswer } from '@symup/symbolicate/internal'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Intake, type IntakeOptions, startIntake } from '../index.ts'
import { type Internals, internalsOf } from '../internals.ts'
import { type AutomationRunItem, type Severity, toRunItem } from '../oncall/room.ts'
import { type Fault, parseFault } from '../platform/faults/fault.ts'
import type { Int64 } from '../platform/wire/int64.ts'
import { parseJson, stringifyJson } from '../platform/wire/int64.ts'
import type { StoredUpload } from '../symbols/room.ts'
import type { UploadFilter } from '../test-routes/room.ts'
import { waitForUpload } from './uploads.ts'

export interface TestIntakeOptions extends Omit<IntakeOptions, 'now' | 'host'> {
  /** App key for `call`. Default: the first key in the seed. */
  appKey?: string
}

/** Options for resolving a stack. By default, the service and version are those of the newest upload. */
export interface ResolveOptions {
  service?: string
  version?: string
  /** Type of the stack. Default: `browser`. */
  type?: string
  [field: string]: unknown
}

export interface AuditRecord {
  operation: string
  member_name: string
  request_id: string
  is_write: boolean
  /** JSON with secrets masked. */
  body: string
  /** Time in Unix milliseconds. */
  created_at: number
}

export interface Answer {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer
  data?: any
  error?: { code: string; message: string }
}

/** A fault as a string (`429;route=/channel/list;times=2`) or as an object. */
export type FaultRule = string | (Partial<Fault> & Pick<Fault, 'kind'>)

export interface TestIntake extends Omit<Intake, 'fireDue' | 'inspector'> {
  /** Restores the seed and the real time. Deletes all uploads, runs, audit records and faults. */
  reset(): Promise<void>
  /**
   * Waits for a matching upload. Returns immediately if one already exists.
   * @throws Error after `timeout` milliseconds (default: 5,000).
   */
  waitForUpload(filter?: UploadFilter, options?: { timeout?: number }): Promise<StoredUpload>
  /**
   * Resolves an error or the text of a stack with the uploaded files. The result has the same structure as the results of `symbolicate()`
   * and `symup explain --json`.
   */
  resolve(error: Error | string, options?: ResolveOptions): Promise<Explanation>
  /** Returns the runs of all automation rules, newest first. */
  runs(): Promise<AutomationRunItem[]>
  /** Returns audit records, newest first, without calls from these helpers. */
  audit(): Promise<AuditRecord[]>
  /**
   * Creates an incident.
   * @returns ids of the runs that the incident starts.
   */
  reportIncident(incident: { channel_id: Int64; severity: Severity; title?: string }): Promise<string[]>
  /** Sets the clock and stops it. */
  setTime(time: number | Date): void
  /** Moves the clock forward by a number of milliseconds. Each schedule fires at its due time. */
  advance(milliseconds: number): Promise<void>
  /** Makes uploads, or the operations of a route, fail until `reset()` is called. */
  fault(rule: FaultRule): void
  /** Calls an operation in process, as in `call('/channel/list', { limit: 2 })`. */
  call(path: string, body?: object, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer>
  /** Sends any request in process. Accepts the options of Fastify's `inject`. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
}

const WAIT_MS = 5_000
/** Maximum time in milliseconds for running requests to finish when the intake closes. */
const DRAIN_MS = 1_000

/**
 * Starts an intake for tests, without rate limits and with a clock that tests can set. `close()` waits up to one second for running
 * requests. With `listen: false`, the intake has no socket and can only be called in process.
 * @throws SeedError, StartError
 */
export async function openTestIntake(options: TestIntakeOptions = {}): Promise<TestIntake> {
  const { appKey, ...rest } = options
  const intake = await startIntake({ rateLimits: false, testRoutes: true, drainMs: DRAIN_MS, ...rest })
  const internals = internalsOf(intake)
  const { app, store, audit, control } = internals
  const { clock, faults } = control
  const own = new Set<string>()
  const key = appKey ?? firstKey(internals)
  const inject = (request: InjectOptions) => app.inject(request)

  const call: TestIntake['call'] = async (path, body = {}, { key: used = key, headers = {} } = {}) => {
    const url = used === '' ? path : `${path}?app_key=${encodeURIComponent(used)}`
    const type = { 'content-type': 'application/json' }
    const response = await inject({
      method: 'POST',
      url,
      headers: { ...type, ...headers },
      payload: stringifyJson(body),
    })
    const { data, error } = parseJson(response.payload) as Pick<Answer, 'data' | 'error'>
    const answer: Answer = { status: response.statusCode, headers: response.headers as Record<string, string> }
    return error ? { ...answer, error } : { ...answer, data }
  }
  /** Calls from these helpers are not recorded in the audit log. */
  const ask = async (path: string, body: object) => {
    const { data, error, headers } = await call(path, body)
    own.add(headers['service-request-id'] ?? '')
    if (error) throw new Error(`${path}: ${error.message}`)
    return data
  }

  return {
    url: intake.url,
    uploads: intake.uploads,
    close: intake.close,
    inject,
    call,
    async reset() {
      own.clear()
      await control.reset()
    },
    waitForUpload: (filter, { timeout = WAIT_MS } = {}) => waitForUpload(intake.uploads, filter, timeout),
    async resolve(error, options = {}) {
      const stack = typeof error === 'string' ? error : (error.stack ?? String(error))
      const newest = (await intake.uploads()).findLast(({ service, version }) => service !== '' && version !== '')
      const release = { service: newest?.service ?? 'unknown', version: newest?.version ?? 'unknown' }
      const answer = await ask('/sourcemap/stack/enrich', { ...release, ...options, stack })
      return readEnrichedAnswer(answer) ?? { frames: [] }
    },
    async runs() {
      const rows = store.db.selectFrom('automation_run').selectAll().orderBy('created_at', 'desc')
      return (await rows.orderBy('run_id', 'desc').execute()).map(toRunItem)
    },
    async audit() {
      await audit.flush()
      const rows = await store.db.selectFrom('audit_record').selectAll().orderBy('seq', 'desc').execute()
      return rows.filter(({ request_id }) => !own.has(request_id)).map(toAuditRecord)
    },
    reportIncident: async (incident) => (await ask('/__test/incident', incident)).run_ids,
    setTime: clock.set,
    advance: control.advance,
    fault: (rule) => faults?.add(typeof rule === 'string' ? parseFault(rule) : { ...parseFault(rule.kind), ...rule }),
  }
}

/** The first key in the default seed has the most permissions. */
function firstKey({ seed }: Internals): string {
  return seed.accounts.flatMap(({ app_keys = [] }) => app_keys)[0]?.key ?? ''
}

type AuditRow = { is_write: number } & Omit<AuditRecord, 'is_write'>

function toAuditRecord({ operation, member_name, request_id, is_write, body, created_at }: AuditRow): AuditRecord {
  return { operation, member_name, request_id, is_write: is_write === 1, body, created_at }
}
