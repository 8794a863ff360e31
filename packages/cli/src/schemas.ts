import { CATEGORIES, configSchema, PROBLEMS } from '@symup/core'
import { REASONS } from '@symup/symbolicate/internal'

/** JSON Schemas (2020-12) for the `--json` documents. Later versions of symup only add fields, so unknown fields are allowed. */
type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const count: Schema = { type: 'integer', minimum: 0 }
const list = (items: Schema): Schema => ({ type: 'array', items })
const either = (...values: string[]): Schema => ({ enum: values })

function record(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

const problem = record(
  {
    code: either(...Object.keys(PROBLEMS)),
    category: either(...CATEGORIES),
    severity: either('error', 'warning', 'info'),
    message: text,
    fix: text,
    docs: text,
  },
  { file: text },
)

/** The fields that all events have. All other fields depend on the type. */
const event = record({ type: text }, { service: text, version: text })

const plan = record({
  uploads: list(record({ event, parts: list(record({ name: text, path: text, bytes: count })) })),
  problems: list(problem),
})

const report = record(
  {
    outcomes: list(
      record(
        {
          event,
          status: either('accepted', 'already-there', 'refused', 'failed', 'not-tried'),
          attempts: count,
          bytes: count,
        },
        { heldBytes: count, requestId: text, problem },
      ),
    ),
    problems: list(problem),
    totals: record({
      accepted: count,
      alreadyThere: count,
      refused: count,
      failed: count,
      notTried: count,
      bytesSent: count,
      milliseconds: count,
    }),
  },
  { positions: record({ checked: count, resolved: count }) },
)

const failure = record({ problems: list(problem) })

const snippet = list(record({ line: count, code: text }))
const position = record({ file: text }, { function: text, line: count, column: count, snippet })

const explain = record(
  {
    frames: list(
      record(
        { raw: text, resolved: { anyOf: [{ type: 'null' }, position] } },
        {
          function: text,
          file: text,
          line: count,
          column: count,
          reason: record({ code: either(...Object.keys(REASONS)), message: text, fix: text }),
        },
      ),
    ),
  },
  { problems: list(problem) },
)

const check = record({
  files: list(
    record(
      { path: text, kind: text, bytes: count },
      {
        buildId: text,
        uuids: list(text),
        arch: text,
        map: text,
        mapBytes: count,
        debugId: text,
        maps: count,
        inflatedBytes: count,
        biggestSources: list(record({ source: text, bytes: count })),
        positions: count,
        resolved: count,
      },
    ),
  ),
  problems: list(problem),
})

const doctor = record({
  versions: { type: 'object', additionalProperties: text },
  configFile: { type: ['string', 'null'] },
  settings: { type: 'object', additionalProperties: record({ value: text, from: text, overrode: list(text) }) },
  certificates: { type: 'object', additionalProperties: text },
  probe: {
    anyOf: [
      { type: 'null' },
      record(
        { isIntake: { type: 'boolean' }, key: either('accepted', 'refused', 'unknown') },
        {
          proxy: record({ url: text, from: text }),
          lookUp: count,
          connected: count,
          secured: count,
          answered: count,
          status: count,
          location: text,
          tls: record({ protocol: text, validTo: text }),
          clockSkew: { type: 'integer' },
          failure: text,
        },
      ),
    ],
  },
  problems: list(problem),
})

function titled(title: string, schema: Schema): Schema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }
}

export const SCHEMAS = {
  plan: titled('symup … upload --dry-run --json', plan),
  report: titled('symup … upload --json', report),
  explain: titled('symup explain --json', explain),
  check: titled('symup check --json', check),
  doctor: titled('symup doctor --json', doctor),
  failure: titled('symup … --json when the command ends early', failure),
  problem: titled('One problem, in every document', problem),
  config: configSchema(),
} as const
