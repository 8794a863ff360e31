import { describe, expect, it } from 'vitest'
import { parseStack } from '../resolvers/javascript/parse-stack.ts'
import { parseEventText } from './event-text.ts'

const STACK = 'Error: x\n    at f (https://h/a.js:1:2)'

it.each<[string, unknown]>([
  ['separate fields', { stack: STACK, service: 's', version: '1' }],
  ['a RUM event', { service: 's', version: '1', error: { stack: STACK, message: 'x' } }],
  ['a deeply nested list', { events: [{ attributes: { error: { stack_trace: STACK } } }], service: 's', version: '1' }],
])('finds the stack in %s', (_, event) => {
  expect(parseEventText(JSON.stringify(event))).toEqual({ stack: STACK, service: 's', version: '1' })
})

// Loggers and cloud services write these texts.
it.each<[string, string]>([
  [
    'from pino',
    JSON.stringify({ level: 50, time: 1, pid: 1, err: { type: 'Error', message: 'x', stack: STACK }, msg: 'x' }),
  ],
  [
    'from winston, after other fields',
    `{"level":"info","message":"hi"}\n${JSON.stringify({ level: 'error', stack: STACK })}\n`,
  ],
  ['from a container', `web-1  | ${JSON.stringify({ level: 'error', stack: STACK })}`],
  [
    'from AWS Lambda',
    `2026-02-02T02:40:00.500Z\t6f5c\tERROR\tUncaught Exception \t${JSON.stringify({ errorType: 'Error', stack: STACK.split('\n') })}`,
  ],
  [
    'in a response from AWS Lambda',
    JSON.stringify({ errorType: 'Error', errorMessage: 'x', trace: STACK.split('\n') }),
  ],
  ['from Google Cloud', JSON.stringify({ severity: 'ERROR', message: STACK })],
  ['from New Relic', JSON.stringify({ events: [{ stackTrace: STACK }] })],
])('extracts the stack from a log %s', (_, log) => expect(parseEventText(log).stack).toBe(STACK))

it('does not read a message as a stack, or a text that quotes JSON as JSON', () => {
  for (const log of [
    '{"message":"at home"}',
    `${STACK}\n{"a":1}`,
    '{"a":1}\n{"b":2}',
    'x {"stack":1}',
    '{"message":"a\\nb"}',
  ])
    expect(parseEventText(log).stack).toBe(log)
})

it.each([STACK, '{not json', '[1,2]', '{"a":1}', '', `[${'['.repeat(100_000)}`])(
  'reads a text that is not an event as the stack',
  (text) => {
    expect(parseEventText(text).stack).toBe(text)
  },
)

it('reads a stack quoted as JSON', () => expect(parseEventText(JSON.stringify(STACK))).toEqual({ stack: STACK }))

// Stacks copied without the surrounding quotes, with some surrounding JSON, and from JSON inside JSON.
it.each<[string, string]>([
  ['alone', String.raw`Error: x\n    at f (https://h/a.js:1:2)\n    at g (C:\\new\\a.js:3:4)`],
  [
    'with other fields',
    String.raw`level=error err="Error: x\n    at f (https://h/a.js:1:2)\n    at g (C:\\new\\a.js:3:4)" pid=1`,
  ],
  ['truncated', String.raw`{"stack":"Error: x\n    at f (https://h/a.js:1:2)\n    at g (C:\\new\\a.js:3:4)","pi`],
  [
    'twice',
    String.raw`{"log":"{\"stack\":\"Error: x\\n    at f (https://h/a.js:1:2)\\n    at g (C:\\\\new\\\\a.js:3:4)\"}\n"}`,
  ],
  ['as a list', String.raw`["Error: x","    at f (https://h/a.js:1:2)","    at g (C:\\new\\a.js:3:4)"]`],
  ['from Safari', String.raw`f@https://h/a.js:1:2\ng@C:\\new\\a.js:3:4`],
  [
    'line by line',
    ['Error: x', '    at f (https://h/a.js:1:2)', '    at g (C:\\new\\a.js:3:4)']
      .map((line) => JSON.stringify({ log: `${line}\n`, stream: 'stderr' }))
      .join('\n'),
  ],
])('reads the lines of a stack with JSON escapes: %s', (_, text) => {
  const frames = parseStack(parseEventText(text).stack)
  expect(frames.map(({ file, line, column }) => [file, line, column])).toEqual([
    ['https://h/a.js', 1, 2],
    [String.raw`C:\new\a.js`, 3, 4],
  ])
})

it.each(['throwable', 'stacktrace'])('reads a JVM stack from the logfmt field %s', (field) => {
  const stack = 'a.b: no "price"\n\tat a.b.c(Native Method)\n\tat a.d.e(Unknown Source)\n'
  expect(parseEventText(`level=error ${field}=${JSON.stringify(stack)} logger="a \\"b\\""`).stack).toBe(
    `level=error ${field}=\n${stack}\n logger="a \\"b\\""`,
  )
})

it.each([
  'Error: "at least" one of C:\\new at home\\n\n    at f (https://h/a.js:1:2)',
  'Error: x"\n    at f (C:\\new\\at\\a.js:1:2)',
  String.raw`{"x":1}{"usedImages":[],"asi":["No value for key \"price\" at index 3:14 of \n    at list"]}`,
  String.raw`{"crashing_thread":{},"assertion":"expected \"}\" at line 3"}`,
  String.raw`Fatal error: no "price" at index 3 in C:\new\report\net.cc`,
  String.raw`Error: got {"stack":"Error: y\n    at g (https://h/b.js:9:9)"} from it` +
    '\n    at f (https://h/a.js:1:2)',
])('does not change a text without a stack', (text) => expect(parseEventText(text).stack).toBe(text))

it('does not search for escapes in a very long text', () => {
  const text = `err="    at f (https://h/a.js:1:2)" ${'x'.repeat(256 * 1024)}`
  expect(parseEventText(text).stack === text).toBe(true)
})

it('removes terminal colors', () => {
  const logged =
    '\u001b[31mError: x\u001b[39m\n    at f (\u001b[90m/app/\u001b[39mdist/a.js:1:2)\n\u001b[90m    at g (node:a:1:2)\u001b[39m'
  const stack = 'Error: x\n    at f (/app/dist/a.js:1:2)\n    at g (node:a:1:2)'
  expect(parseEventText(logged)).toEqual({ stack })
  expect(parseEventText(JSON.stringify({ stack: logged }))).toEqual({ stack })
})

const trace = (line: string, column: string, path: string) => ({
  frames: [
    { function: 'main', [path]: 'https://h/a.js', [line]: 1, [column]: 9 },
    { function: 'f', [path]: 'https://h/a.js', [line]: 1, [column]: 2 },
  ],
})

it.each<[string, unknown]>([
  [
    'clients send it',
    {
      release: 's@1',
      sdk: { name: 'sentry.javascript.browser', version: '9.1.0' },
      exception: { values: [{ type: 'Error', value: 'x', stacktrace: trace('lineno', 'colno', 'abs_path') }] },
    },
  ],
  [
    'the JSON link of an issue shows it',
    {
      release: { version: 's@1', dateCreated: '2026-01-01T00:00:00Z' },
      tags: [{ key: 'release', value: 's@1' }],
      entries: [
        { type: 'breadcrumbs', data: { values: [] } },
        {
          type: 'exception',
          data: {
            values: [
              { type: 'TypeError', value: 'first', stacktrace: trace('lineNo', 'colNo', 'absPath') },
              { type: 'Error', value: 'x', stacktrace: trace('lineNo', 'colNo', 'absPath') },
            ],
          },
        },
      ],
    },
  ],
])('reads a Sentry event the way %s', (_, event) => {
  const stack = `${STACK}\n    at main (https://h/a.js:1:9)`
  expect(parseEventText(JSON.stringify(event))).toMatchObject({ stack, service: 's', version: '1' })
})

it('reads a Sentry event from an Apple app with its images', () => {
  const uuid = '4c4c4423-5555-3144-a1f4-1e1c3f2b8a01'
  const frame = { package: '/var/containers/Shop.app/Shop', instruction_addr: '0x104a3c2f4' }
  const image = { type: 'macho', debug_id: uuid, code_file: '/var/containers/Shop.app/Shop', image_size: 49152 }
  const event = {
    exception: { values: [{ type: 'SIGABRT', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ ...image, image_addr: '0x104a38000' }] },
  }
  expect(parseEventText(JSON.stringify(event))).toMatchObject({
    stack: '0 Shop 0x104a3c2f4',
    images: [{ name: 'Shop', uuid, loadAddress: 0x104a38000, maxAddress: 0x104a38000 + 49151, isSystem: false }],
  })
})

it.each<[string, unknown]>([
  [
    'from the RUM API',
    { data: [{ attributes: { attributes: { error: { stack: STACK } }, tags: ['service:s', 'version:1'] } }] },
  ],
  ['from a log', { ddtags: 'env:prod,version:1,service:s', error: { stack: STACK }, os: { version: '17.2' } }],
])('reads a Datadog event %s', (_, event) => {
  expect(parseEventText(JSON.stringify(event))).toEqual({ stack: STACK, service: 's', version: '1' })
})

it("does not mistake another version for the app's", () => {
  const event = { error: { stack: STACK }, sdk: { version: '9' }, device: { name: 'x', version: '2' } }
  expect(parseEventText(JSON.stringify(event)).version).toBeUndefined()
})

it.each<[string, unknown]>([
  ['seconds', { timestamp: 1770000000.5 }],
  ['milliseconds', { date: 1770000000500 }],
  ['nanoseconds', { time: 1770000000500000000 }],
  ['ISO 8601', { error: { occurred_at: '2026-02-02T02:40:00.500Z' } }],
])('reads the time of the event in %s', (_, event) => {
  expect(parseEventText(JSON.stringify({ stack: STACK, ...(event as object) })).time).toBe(1770000000500)
})

it("reads debug ids from a table and from Sentry's list of images", () => {
  const debugIds = { 'https://h/a.js': '6f5c' }
  expect(parseEventText(JSON.stringify({ stack: STACK, debug_ids: debugIds })).debugIds).toEqual(debugIds)
  const images = [{ type: 'sourcemap', code_file: 'https://h/a.js', debug_id: '6f5c' }, null]
  expect(parseEventText(JSON.stringify({ stack: STACK, debug_meta: { images } })).debugIds).toEqual(debugIds)
})

it.each([0, -1, 5, 1e30, 'soon', {}])('does not read nonsense as a time: %j', (timestamp) => {
  expect(parseEventText(JSON.stringify({ stack: STACK, timestamp })).time).toBeUndefined()
})

describe('recognized names of event fields', () => {
  it.each(['stack', 'stack_trace', 'stacktrace', 'stackTrace', 'callStack', 'error_stack'])(
    '%s contains the stack',
    (name) => {
      expect(parseEventText(JSON.stringify({ error: { [name]: STACK } }))).toEqual({ stack: STACK })
    },
  )

  it.each(['service', 'service_name', 'serviceName'])('%s contains the service', (name) => {
    expect(parseEventText(JSON.stringify({ stack: STACK, context: { [name]: 'shop' } })).service).toBe('shop')
  })

  it.each(['version', 'release_version', 'releaseVersion', 'app_version'])('%s contains the version', (name) => {
    expect(parseEventText(JSON.stringify({ stack: STACK, context: { [name]: '7' } })).version).toBe('7')
  })

  it.each(['debug_ids', 'debugIds', '_debugIds'])('%s contains the debug ids', (name) => {
    const debugIds = { 'https://h/a.js': '6f5c' }
    expect(parseEventText(JSON.stringify({ stack: STACK, error: { [name]: debugIds } }))).toEqual({
      stack: STACK,
      debugIds,
    })
  })

  it.each(['timestamp', 'date', 'time', 'event_time', 'occurred_at'])('%s contains the time', (name) => {
    expect(parseEventText(JSON.stringify({ stack: STACK, [name]: 1770000000 })).time).toBe(1770000000000)
  })

  it.each(['tags', 'ddtags'])('%s contain the service and the version', (name) => {
    for (const tags of ['env:x,service:s,version:1', ['env:x', 'service:s', 'version:1', 5]])
      expect(parseEventText(JSON.stringify({ stack: STACK, [name]: tags }))).toEqual({
        stack: STACK,
        service: 's',
        version: '1',
      })
    expect(parseEventText(JSON.stringify({ stack: STACK, [name]: ['service:', 'version'] }))).toEqual({ stack: STACK })
  })
})

it.each('sdk os device contexts browser runtime user usr _dd debug_meta modules'.split(' '))(
  'ignores facts that %s states about itself',
  (name) => {
    const event = { stack: STACK, [name]: { service: 'other', version: '9', deeper: { app_version: '9' } } }
    expect(parseEventText(JSON.stringify(event))).toEqual({ stack: STACK })
  },
)

it('uses the nearest field that contains non-empty text', () => {
  const event = {
    a: { service: 'far' },
    service: 'near',
    stack: STACK,
    version: '',
    b: { version: 5, c: { version: '2' } },
  }
  expect(parseEventText(JSON.stringify(event))).toEqual({ stack: STACK, service: 'near', version: '2' })
})

it('reports that a text only begins like JSON', () => {
  for (const text of ['{not json', '["x"', '"x'])
    expect(parseEventText(text)).toEqual({ stack: text, isBrokenJson: true })
  for (const text of ['Error: {"stack":"x"}', 'x', '']) expect(parseEventText(text)).toEqual({ stack: text })
  expect(parseEventText(` \n${JSON.stringify({ stack: STACK })}\n`)).toEqual({ stack: STACK })
})

it('reads times in every unit, up to the largest valid time', () => {
  const timeOf = (time: unknown) => parseEventText(JSON.stringify({ stack: STACK, time })).time
  expect([1e9, 9_999_999_999].map(timeOf)).toEqual([1e12, 9_999_999_999_000])
  expect([1e10, 1.77e15].map(timeOf)).toEqual([1e10, 1.77e12])
  expect([999_999_999, 1e19, 1e25, '1770000000', '2026-02', '2026-99-99T00:00:00Z'].map(timeOf)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})

it('reads debug ids only if they are strings for files with a name', () => {
  const idsOf = (fields: object) => parseEventText(JSON.stringify({ stack: STACK, ...fields })).debugIds
  expect(idsOf({ debug_ids: { a: '1', b: 2, c: '' } })).toEqual({ a: '1' })
  expect([{ debug_ids: {} }, { debug_ids: ['1'] }, { debug_ids: 'x' }, { debug_ids: { a: 1 } }].map(idsOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  const images = [{ code_file: 'a', debug_id: '1' }, { debug_id: '2' }, { code_file: 'c' }]
  expect(idsOf({ images })).toEqual({ a: '1' })
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, nth) => [`f${nth}`, 'x']))
  expect(Object.keys(idsOf({ debug_ids: many }) ?? {})).toHaveLength(1000)
})

it.each(['\n ', '\n', '@', '@@ '])('decides in linear time whether a message is a stack: %j', (piece) => {
  const message = piece.repeat(1_000_000)
  expect(parseEventText(JSON.stringify({ message })).stack).not.toBe(message)
})

it.each(['Error: x\n    at f (a.js:1:1)', 'Error: x\r\n\tat f', 'Error\npay@https://h/a.js:1:2', '@a@b:1'])(
  'recognizes a message that is a stack: %j',
  (message) => expect(parseEventText(JSON.stringify({ message })).stack).toBe(message),
)

it('reads a stack with doubly escaped line endings, and a log that begins with a bracket', () => {
  expect(parseEventText(JSON.stringify({ stack: STACK.replace('\n', '\\n') })).stack).toBe(STACK)
  for (const line of ['[Android] x', '[ +2 ms] x', '[        ] x', '[12:03:44] x', '[2026-11-27] x'])
    expect(parseEventText(line), line).toEqual({ stack: line })
  for (const line of ['[{', '[ "x', '{']) expect(parseEventText(line).isBrokenJson, line).toBe(true)
})

it.each([
  ['rsyslog', 'host app: a.b: x#012#011at c.d(E.java:1)', 'host app: a.b: x\n\tat c.d(E.java:1)'],
  [
    'a container, around a log line in JSON',
    JSON.stringify({ log: JSON.stringify({ stack_trace: 'a.b: x\n\tat c.d(E.java:1)' }) }),
    '\na.b: x\n\tat c.d(E.java:1)\n',
  ],
])('resolves the escapes of %s', (_, text, stack) => expect(parseEventText(text).stack).toContain(stack))

describe('an error whose message quotes the stack of another error', () => {
  const quoted = 'Request failed: Error: x\n    at a (https://h/b.js:1:2)\n    at c (https://h/d.js:3:4)'
  const own = '\n    at pay (https://h/r.js:5:6)\n    at main (https://h/r.js:7:8)'
  const stack = `Error: ${quoted}${own}`
  const frames = [
    { filename: 'https://h/r.js', function: 'main', lineno: 7, colno: 8 },
    { filename: 'https://h/r.js', function: 'pay', lineno: 5, colno: 6 },
  ]
  const bugsnag = frames
    .map(({ filename, function: method, lineno, colno }) => ({
      file: filename,
      method,
      lineNumber: lineno,
      columnNumber: colno,
    }))
    .reverse()
  const namesIn = (event: object) =>
    parseStack(parseEventText(JSON.stringify(event)).stack).map((frame) => frame.function)

  it.each<[string, object]>([
    ['next to the message', { message: quoted, stack }],
    ['in an error object', { level: 50, err: { type: 'Error', message: quoted, stack }, msg: quoted }],
    [
      'in OpenTelemetry fields',
      {
        attributes: [
          { key: 'exception.message', value: { stringValue: quoted } },
          { key: 'exception.stacktrace', value: { stringValue: stack } },
        ],
      },
    ],
  ])('shows the frames of an error before those in its message: %s', (_, event) =>
    expect(namesIn(event)).toEqual(['pay', 'main', 'a', 'c']),
  )

  it.each<[string, object]>([
    ['Sentry', { exception: { values: [{ type: 'Error', value: quoted, stacktrace: { frames } }] } }],
    ['Bugsnag', { exceptions: [{ errorClass: 'Error', message: quoted, stacktrace: bugsnag }] }],
    ['Faro', { exceptions: [{ type: 'Error', value: quoted, stacktrace: { frames: [...frames].reverse() } }] }],
  ])('shows only the frames of an error if they are separate from its message: %s', (_, event) =>
    expect(namesIn(event)).toEqual(['pay', 'main']),
  )

  it('keeps an error unchanged if its message contains the whole stack, as with Zone.js, or its beginning', () => {
    const message = `Uncaught (in promise): ${quoted}`
    expect(namesIn({ message, stack: `Error: ${message}${own}` })).toEqual(['a', 'c', 'pay', 'main'])
    expect(namesIn({ message: quoted, stack: `Error: ${quoted}` })).toEqual(['a', 'c'])
    // Some logs cut long messages.
    for (const cut of [`Error: ${quoted}`, `Error: ${quoted}\n    at p`, quoted.slice(0, -2)])
      expect(namesIn({ message: cut, stack })).toEqual(['a', 'c', 'pay', 'main'])
    expect(parseEventText(JSON.stringify({ message: 'x', stack: `Error: x${own}` })).stack).toBe(`Error: x${own}`)
  })
})
