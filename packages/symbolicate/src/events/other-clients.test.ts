import { describe, expect, it } from 'vitest'
import { parseEventText } from './event-text.ts'

const parsed = (event: unknown) => parseEventText(JSON.stringify(event))

// Events as the notifiers send them (bugsnag-js, bugsnag-cocoa, bugsnag-android), and as the API and the web page show them.
describe('a Bugsnag event', () => {
  const sent = (...stacktrace: object[]) => ({
    notifier: { name: 'Bugsnag JavaScript', version: '8.4.0' },
    events: [
      {
        exceptions: [
          { errorClass: 'TypeError', message: 'x', stacktrace },
          { errorClass: 'Cause', message: 'y', stacktrace: [{ file: 'https://h/c.js', lineNumber: 9 }] },
        ],
        app: { version: '1.2.3', releaseStage: 'production' },
        device: { osVersion: '17' },
      },
    ],
  })

  it('reads a Bugsnag event from a browser', () => {
    const frames = [
      { file: 'https://h/a.js', method: 'f', lineNumber: 1, columnNumber: 2, code: null },
      { file: 'https://h/a.js', lineNumber: 3, columnNumber: 4 },
    ]
    expect(parsed(sent(...frames))).toEqual({
      stack: 'TypeError: x\n    at f (https://h/a.js:1:2)\n    at https://h/a.js:3:4',
      version: '1.2.3',
    })
  })

  it('reads a Bugsnag event as the API returns it', () => {
    const frame = { file: 'https://h/a.js', method: 'f', line_number: 1, column_number: 2, in_project: true }
    const event = {
      exceptions: [{ error_class: 'TypeError', message: 'x', stacktrace: [frame] }],
      app: { version: '1' },
    }
    expect(parsed(event)).toEqual({ stack: 'TypeError: x\n    at f (https://h/a.js:1:2)', version: '1' })
  })

  it('reads a Bugsnag event from Android with Java frames and a library with a build id', () => {
    const frames = [
      { method: 'com.shop.a.b', file: 'SourceFile', lineNumber: 12 },
      { method: 'com.shop.a.<init>', file: 'Unknown' },
      {
        ...{ method: 'pay', file: '/data/app/com.shop/lib/arm64/libshop.so', lineNumber: 4096 },
        ...{ frameAddress: '0x7001010', loadAddress: '0x7000000', codeIdentifier: '725d8a9b' },
      },
      // A frame with only part of a native address is not a native frame.
      { method: 'com.shop.c.d', file: 'C.kt', lineNumber: 3, codeIdentifier: '725d8a9b' },
      { method: 'com.shop.e.f', file: 'E.kt', lineNumber: 5, frameAddress: '0x7001010' },
    ]
    expect(
      parsed(sent(...frames))
        .stack.split('\n')
        .slice(1),
    ).toEqual([
      '    at com.shop.a.b(SourceFile:12)',
      '    at com.shop.a.<init>(Unknown)',
      // After the first frame, addresses are return addresses.
      '#2 pc 100f /data/app/com.shop/lib/arm64/libshop.so (pay) (BuildId: 725d8a9b)',
      '    at com.shop.c.d(C.kt:3)',
      '    at com.shop.e.f(E.kt:5)',
    ])
  })

  it('reads a Bugsnag event from an Apple app with its images', () => {
    const image = { machoFile: '/var/x/Shop.app/Shop', machoUUID: '4C4C4423-5555-3144-A1DB-4B0B3A85B578' }
    const frames = [
      { ...image, method: 'main', frameAddress: '0x104a3c018', machoLoadAddress: '0x104a38000', isPC: true },
      { frameAddress: '0x1b0', machoFile: '/usr/lib/dyld', machoUUID: 'AB', machoLoadAddress: '0x100' },
    ]
    expect(parsed(sent(...frames))).toEqual({
      stack: '0 Shop 0x104a3c018 main\n1 dyld 0x1b0',
      version: '1.2.3',
      images: [
        { name: 'Shop', uuid: image.machoUUID, loadAddress: 0x104a38000, isSystem: false },
        { name: 'dyld', uuid: 'AB', loadAddress: 0x100, isSystem: true },
      ],
    })
  })

  it('reads a Bugsnag event in which only the cause has frames', () => {
    expect(parsed(sent())).toEqual({ stack: '    at https://h/c.js:9', version: '1.2.3' })
  })

  it('keeps at most one frame more than a resolver lists from a Bugsnag event', () => {
    const frames = Array.from({ length: 6000 }, (_, nth) => ({ file: `https://h/${nth}.js`, lineNumber: 1 }))
    const lines = parsed(sent(...frames)).stack.split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([5002, '    at https://h/5000.js:1'])
  })
})

describe('a Grafana Faro event', () => {
  const exception = {
    ...{ timestamp: '2026-02-02T02:40:00.500Z', type: 'TypeError', value: 'x' },
    stacktrace: {
      frames: [
        { filename: 'https://h/a.js', function: 'f', lineno: 1, colno: 2 },
        { filename: 'https://h/a.js', function: '?', lineno: 3, colno: 4 },
      ],
    },
  }
  const stack = 'TypeError: x\n    at f (https://h/a.js:1:2)\n    at https://h/a.js:3:4'
  const meta = {
    sdk: { name: 'faro-web', version: '2.0.0' },
    app: { name: 'shop', version: '1.2.3', environment: 'production' },
    browser: { name: 'Chrome', version: '140' },
  }

  it.each<[string, object]>([
    ['as it is sent', { meta, exceptions: [exception] }],
    ['before it is sent', { meta, type: 'exception', payload: exception }],
  ])('reads a Grafana Faro event %s', (_, event) => {
    expect(parsed(event)).toEqual({ stack, service: 'shop', version: '1.2.3', time: 1770000000500 })
  })

  it('does not recognize a Grafana Faro event without frames', () => {
    const text = JSON.stringify({ meta, exceptions: [{ type: 'Error', value: 'x' }] })
    expect(parseEventText(text)).toEqual({ stack: text })
  })
})

// Source: https://developer.apple.com/documentation/metrickit/mxcallstacktree/jsonrepresentation().
describe('a MetricKit payload', () => {
  const frame = (binaryName: string, at: number, offset: number, ...subFrames: object[]) => ({
    ...{ binaryName, address: at, offsetIntoBinaryTextSegment: offset, sampleCount: 1 },
    ...{ binaryUUID: binaryName === 'Shop' ? '4C4C4423-5555-3144-A1DB-4B0B3A85B578' : 'AB', subFrames },
  })
  const stack = (threadAttributed: boolean, root: object) => ({ threadAttributed, callStackRootFrames: [root] })
  const own = stack(true, frame('Shop', 0x104a3c018, 0x4018, frame('dyld', 0x1b0, 0xb0)))
  const diagnostic = {
    diagnosticMetaData: { appVersion: '1.2.3', appBuildVersion: '45', osVersion: 'iPhone OS 26.1' },
    callStackTree: { callStackPerThread: true, callStacks: [stack(false, frame('Other', 0x10, 0x10)), own] },
  }
  const expected = {
    stack: '0 Shop 0x104a3c018\n1 dyld 0x1b0',
    version: '1.2.3',
    images: [
      { name: 'Shop', uuid: '4C4C4423-5555-3144-A1DB-4B0B3A85B578', loadAddress: 0x104a38000, isSystem: false },
      { name: 'dyld', uuid: 'AB', loadAddress: 0x100, isSystem: false },
    ],
  }

  it.each<[string, object]>([
    ['as it is delivered', { timeStampBegin: '2026-02-02 02:40:00', crashDiagnostics: [diagnostic] }],
    ['in an envelope', { payload: { hangDiagnostics: [], crashDiagnostics: [diagnostic] } }],
    ['as a single diagnostic', diagnostic],
  ])('reads a MetricKit payload %s', (_, event) => expect(parsed(event)).toEqual(expected))

  it('reads a payload with only the stacks, as an app gets them from a diagnostic', () => {
    const { stack, images } = expected
    expect(parsed(diagnostic.callStackTree)).toEqual({ stack, images })
  })

  it('reads payloads from iOS 14 and 15, which report the start of an image instead of an offset', () => {
    const old = stack(true, frame('Shop', 0x104a3c018, 0x104a38000, frame('dyld', 0x1b00000b0, 0x1b0000000)))
    const starts = parsed({ callStackTree: { callStacks: [old] } }).images?.map(({ loadAddress }) => loadAddress)
    expect(starts).toEqual([0x104a38000, 0x1b0000000])
  })

  it('does not recognize a MetricKit payload without frames', () => {
    const text = JSON.stringify({ crashDiagnostics: [{ callStackTree: { callStacks: [] } }] })
    expect(parseEventText(text)).toEqual({ stack: text })
  })

  it('keeps at most one frame more than a resolver lists from a payload, however deeply nested', () => {
    // The JSON is built by hand, because JSON.stringify cannot nest so deeply.
    const one = JSON.stringify(frame('Shop', 1, 1))
    const root = `${one.slice(0, -1)},"subFrames":[`.repeat(6000) + one + ']}'.repeat(6000)
    const event = `{"callStackTree":{"callStacks":[{"callStackRootFrames":[${root}]}]}}`
    expect(parseEventText(event).stack.split('\n')).toHaveLength(5001)
  })
})

describe('frames in a list of fields', () => {
  const stack = '    at f (https://h/a.js:1:2)\n    at https://h/b.js:3:4'

  it.each<[string, object]>([
    [
      'Honeybadger',
      {
        backtrace: [
          { file: 'https://h/a.js', method: 'f', number: 1, column: 2 },
          { file: 'https://h/b.js', method: '', number: 3, column: 4 },
        ],
      },
    ],
    [
      'Airbrake',
      {
        backtrace: [
          { file: 'https://h/a.js', function: 'f', line: 1, column: 2 },
          { file: 'https://h/b.js', function: '', line: 3, column: 4 },
        ],
      },
    ],
    [
      'Raygun',
      {
        StackTrace: [
          { FileName: 'https://h/a.js', MethodName: 'f', LineNumber: 1, ColumnNumber: 2 },
          { FileName: 'https://h/b.js', LineNumber: 3, ColumnNumber: 4 },
        ],
      },
    ],
    [
      'Elastic APM',
      {
        exception: [
          {
            stacktrace: [
              { abs_path: 'https://h/a.js', filename: 'a.js', function: 'f', line: { number: 1, column: 2 } },
              { abs_path: 'https://h/b.js', filename: 'b.js', line: { number: 3, column: 4 } },
            ],
          },
        ],
      },
    ],
    [
      'React Native',
      {
        stack: [
          { file: 'https://h/a.js', methodName: 'f', lineNumber: 1, column: 2 },
          { file: 'https://h/b.js', lineNumber: 3, column: 4 },
          { methodName: 'next', file: null, lineNumber: null, column: null },
        ],
      },
    ],
  ])('reads frames from %s', (_, error) => expect(parsed({ error, client: { name: 'any' } })).toEqual({ stack }))

  it('reads frames from Rollbar, which lists the innermost frame last', () => {
    const frames = [
      { filename: 'https://h/b.js', lineno: 3, colno: 4 },
      { filename: 'https://h/a.js', lineno: 1, colno: 2, method: 'f' },
    ]
    const client = { javascript: { code_version: '1.2.3' } }
    for (const body of [{ trace: { frames } }, { trace_chain: [{ frames }, { frames: [] }] }])
      expect(parsed({ data: { body, client, notifier: { version: '2' } } })).toEqual({ stack, version: '1.2.3' })
  })

  it.each([
    [
      'Rollbar',
      {
        data: { body: { trace: { frames: [{ class_name: 'b.a', method: 'c', filename: 'SourceFile', lineno: 2 }] } } },
      },
    ],
    ['Jackson', { stackTrace: [{ className: 'b.a', methodName: 'c', fileName: 'SourceFile', lineNumber: 2 }] }],
    ['Log4j', { thrown: { extendedStackTrace: [{ class: 'b.a', method: 'c', file: 'SourceFile', line: 2 }] } }],
  ])('%s, for Java', (_, event) => expect(parsed(event).stack).toBe('    at b.a.c(SourceFile:2)'))

  it('reads Java frames without a method and of native methods, but no versions of libraries', () => {
    const frames = [
      { class: 'b.a', file: 'a.java', line: 2, version: '2.7.18' },
      { class: 'b.a', method: 'c', file: 'a.java', line: -2 },
    ]
    expect(parsed({ thrown: { extendedStackTrace: frames } })).toEqual({
      stack: '    at b.a.<unknown>(a.java:2)\n    at b.a.c(Native Method)',
    })
  })

  it('does not mistake other lists for frames', () => {
    const text = JSON.stringify({ stack: [{ file: 'https://h/a.js' }, null, 3], trace: { frames: 7 } })
    expect(parseEventText(text)).toEqual({ stack: text })
  })
})

const STACK = 'Error: x\n    at f (https://h/a.js:1:2)'

it.each<[string, object]>([
  [
    'from OpenTelemetry, as it is sent',
    {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'shop' } },
              { key: 'service.version', value: { stringValue: '1' } },
              { key: 'telemetry.sdk.version', value: { stringValue: '2.1.0' } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'web', version: '0.9' },
              spans: [{ events: [{ attributes: [{ key: 'exception.stacktrace', value: { stringValue: STACK } }] }] }],
            },
          ],
        },
      ],
    },
  ],
  [
    'from OpenTelemetry, as a table',
    { 'service.name': 'shop', 'service.version': '1', attributes: { 'exception.stacktrace': STACK } },
  ],
  [
    'from Elastic',
    {
      ...{ agent: { name: 'rum-js', version: '5.16.0' }, observer: { version: '9.2.0' }, ecs: { version: '8.0' } },
      ...{ service: { name: 'shop', version: '1' }, error: { stack_trace: STACK } },
    },
  ],
])('extracts the stack, the service and its version from an event %s', (_, event) => {
  expect(parsed(event)).toEqual({ stack: STACK, service: 'shop', version: '1' })
})

it('finds the libraries of native Android code in a Sentry event by their build ids', () => {
  const library = '/data/app/com.shop/lib/arm64/libshop.so'
  const image = { type: 'elf', code_file: library, image_addr: '0x7000000', image_size: 8192 }
  const event = {
    exception: {
      values: [
        {
          ...{ type: 'SIGSEGV', value: 'x' },
          stacktrace: {
            frames: [
              { instruction_addr: '0x7002000', package: '/apex/libc.so', function: 'main' },
              { instruction_addr: '0x7001010', package: library },
              { instruction_addr: '0x7001000', package: library, function: 'pay' },
            ],
          },
        },
      ],
    },
    debug_meta: {
      images: [{ ...image, code_id: '725d8a9b24779d7b', debug_id: '9b8a5d72-7724-7b9d-0000-000000000000' }],
    },
  }
  expect(parsed(event).stack.split('\n')).toEqual([
    '#0 pc 1000 /data/app/com.shop/lib/arm64/libshop.so (pay) (BuildId: 725d8a9b24779d7b)',
    '#1 pc 100f /data/app/com.shop/lib/arm64/libshop.so (BuildId: 725d8a9b24779d7b)',
    '2 libc.so 0x7002000 main',
  ])
})
