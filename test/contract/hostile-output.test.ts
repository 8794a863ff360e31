import { stripVTControlCharacters } from 'node:util'
import {
  type CheckedFile,
  type Collection,
  deliver,
  endOfBuild,
  type Line,
  openDelivery,
  presentLines,
  printable,
  printableJson,
  problem,
  publishProblems,
  renderProblems,
  Secret,
  type SymbolUpload,
  SymupError,
  type Verdict,
} from '@symup/core'
import { array, assert, asyncProperty, constantFrom, integer, oneof, property, string } from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { askIntake } from '../../packages/cli/src/ask-intake.ts'
import { renderCheckedFiles } from '../../packages/cli/src/check-table.ts'
import { printExplanation } from '../../packages/cli/src/explanation-text.ts'
import { type Output, printLines } from '../../packages/cli/src/terminal.ts'
import { type Answer, startServer, useServer } from '../support/server.ts'

/** Text that attacks a terminal or a CI log, surrounded by ordinary text. */
const hostile = array(
  oneof(
    constantFrom(
      ...['\u001b[2J', '\u001b]0;title\u0007', '\u001b]8;;http://x\u001b\\', '\u009b31m', '\u0000', '\u007f', '\b\b'],
      ...['\r', '\n', '\r\n', '\n::add-mask::e', '\n  ::error::x', '::add-mask::e', '##[add-mask]e', '##vso[task.x]'],
      ...['\u2028', '\u2029', '\u0085', '\u202e', '\u2066', '\u061c', '\u200e', '\u200b', '\ufeff', '\ud800', '\t'],
      ...['\n##teamcity[x]', '\nsection_start:1:a', '%0A::error::', '../', ' ', 'a', '"', '\\', '😀', 'é'],
    ),
    string({ unit: 'binary', maxLength: 4 }),
  ),
  { maxLength: 8 },
).map((parts) => parts.join(''))

/** Control characters, line separators, characters that change the reading direction or are invisible, and lone surrogates. */
const STEERS = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/** Fails for a line with any effect except printing text. */
function expectHarmless(line: string): void {
  expect(line).not.toMatch(STEERS)
  expect(line).not.toMatch(/^\s*::/)
  expect(line).not.toMatch(/##\w*\[/)
}

/** Checks that a command's output consists of its own lines. */
function expectLines(written: string, colours = false): void {
  expect(written === '' || written.endsWith('\n')).toBe(true)
  const plain = colours ? stripVTControlCharacters(written) : written
  for (const line of plain.split('\n')) expectHarmless(line)
}

const RUNS = { numRuns: 200 }

describe('printable text', () => {
  it('escapes all control characters, and does not change its own output', () => {
    assert(
      property(hostile, (text) => {
        expectHarmless(printable(text))
        expect(printable(printable(text))).toBe(printable(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('does not change ordinary text', () => {
    const text = 'src/Übersicht – 日本語 👩‍👩‍👧 (a::b) #1 ## [x] 100 %'
    expect(printable(text)).toBe(text)
  })

  it('shows hostile characters as escapes', () => {
    expect(printable('a\u001b[31m\n\u202e\u009b')).toBe('a\\x1b[31m\\n\\u202e\\x9b')
    expect(printable('  ::add-mask::x ##[group]y')).toBe('  \\::add-mask::x #\\#[group]y')
  })

  it('keeps JSON equivalent', () => {
    assert(
      property(hostile, hostile, (key, text) => {
        const document = JSON.parse(JSON.stringify({ [`k${key}`]: [text, { text }] }))
        const json = printableJson(document)
        expect(JSON.parse(json)).toEqual(document)
        for (const line of json.split('\n')) expectHarmless(line)
      }),
      RUNS,
    )
  })
})

let answer: { status: number; headers: Record<string, string>; body: string }
const server = useServer((_request, response) => response.writeHead(answer.status, answer.headers).end(answer.body))

const headerValue = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')

describe('a run with any adapter', () => {
  const uploadOf = (name: string): SymbolUpload => ({
    event: {
      type: 'js_sourcemap',
      cli_version: '0',
      service: name,
      version: name,
      minified_url: `/${name}`,
      project_path: '',
    },
    parts: [{ name: 'source_map', filename: name, path: `/dist/${name}`, bytes: 2, content: Buffer.from('{}') }],
  })
  const collection = (names: readonly string[]): Collection => ({
    uploads: names.map(uploadOf),
    problems: names.flatMap((name) => [
      problem('map-missing', `The file refers to the source map ${name}, which does not exist.`, { file: name }),
      problem('nothing-found', `${name} contains no JavaScript files.`, { fix: name }),
    ]),
    details: [{ severity: 'info', text: names.join() }],
  })
  const input = (service: string, dryRun: boolean) => ({
    adapter: { name: 'test', version: '0' },
    settings: {
      options: { apiKey: 'k-of-some-length', endpoint: server.url, version: '1', minifiedPathPrefix: '/' },
      inferredService: { value: service, from: service },
      env: {},
      ignoreConfigFile: true,
      dryRun,
    },
    subject: () => service,
    proof: false,
    send: { attempts: 1, ledger: false },
  })

  it('prints only harmless lines, whatever files, package.json and the intake contain', async () => {
    await assert(
      asyncProperty(
        array(hostile, { minLength: 1, maxLength: 3 }),
        hostile,
        constantFrom(200, 302, 400, 401, 413, 500),
        async (names, printed, status) => {
          answer = {
            status,
            headers: {
              'request-id': headerValue(printed),
              location: headerValue(printed),
              'content-type': 'text/plain',
            },
            body: status === 400 ? JSON.stringify({ error: { message: printed } }) : printed,
          }
          for (const dryRun of [false, true]) {
            const lines: Line[] = []
            const present = presentLines((line) => lines.push(line))
            const verdict = await deliver({ ...input(printed, dryRun), present }, () => collection(names))
            expect(lines.length).toBeGreaterThan(2)
            for (const { text } of lines) expectHarmless(text)
            expectPublished(verdict)
          }
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)

  /** Annotations are the only lines that may be commands. Each annotation is one line and contains no second command. */
  function expectPublished({ problems, document }: Verdict): void {
    const annotations: string[] = []
    publishProblems(problems, {
      cwd: '/',
      toolVersion: '0',
      env: { GITHUB_ACTIONS: 'true' },
      print: (line) => annotations.push(line),
      warn: () => undefined,
    })
    for (const line of annotations) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=symup [\w-]+(?:,file=[^:,]*)?::/)
      expectHarmless(line.slice(2))
    }
    for (const line of printableJson(document).split('\n')) expectHarmless(line)
  }

  it('ends a build with a harmless message', async () => {
    await assert(
      asyncProperty(hostile, async (name) => {
        const lines: Line[] = []
        const { present, conclude } = endOfBuild((line) => lines.push(line))
        const options = { endpoint: `http://h/${name}`, service: name, version: name, minifiedPathPrefix: name }
        const settings = { options, env: {}, ignoreConfigFile: true }
        const delivery = openDelivery({ ...input(name, true), settings, present })
        const conclusion = delivery.verdict ?? (await delivery.finish(() => collection([name])))
        try {
          conclude(conclusion)
        } catch (error) {
          for (const line of (error as Error).message.split('\n')) expectHarmless(line)
        }
        for (const { text } of lines) expectHarmless(text)
      }),
      { numRuns: 100 },
    )
  })
})

/** The output of a command while `run` runs, with colours as on a terminal. */
async function written(run: () => unknown): Promise<string> {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  vi.stubEnv('NO_COLOR', '')
  vi.stubEnv('FORCE_COLOR', '1')
  try {
    await run()
  } finally {
    spy.mockRestore()
    vi.unstubAllEnvs()
  }
  return text
}

const QUESTION = { service: 's', version: '1', stack: 'x', near: 2, platform: 'browser' } as const

describe('symup check and symup explain', () => {
  it('prints harmless tables', async () => {
    await assert(
      asyncProperty(hostile, integer({ min: 0, max: 1e9 }), async (name, bytes) => {
        const file: CheckedFile = {
          path: name,
          kind: 'javascript',
          bytes,
          arch: name,
          buildId: name,
          uuids: [name],
          debugId: name,
        }
        const output = await written(() => printLines(renderCheckedFiles([file]), process.stdout as Output))
        expect(output.split('\n').length).toBe(2)
        expectLines(output, true)
      }),
      RUNS,
    )
  })

  it('prints harmless stacks, whatever the intake returns', async () => {
    const address = { url: server.url, appKey: new Secret('a-key-of-some-length'), connection: {} }
    const place = (text: string) => ({ function: text, file: text, line: text, column: 1 })
    await assert(
      asyncProperty(hostile, constantFrom(200, 500), array(hostile, { maxLength: 2 }), async (text, status, more) => {
        const frame = {
          ...place(text),
          converted: true,
          raw: text,
          note: text,
          reason: { code: text, message: text, fix: text },
          code_snippets: [{ line: 1, code: text }, { line: text, code: 1 }, null],
          candidates: [[place(text)], text, null],
          original_frame: place(text),
        }
        const frames = [frame, { ...frame, converted: false }, null, text, 7, { raw: 7, candidates: 7 }]
        const retraced = more.length === 1 ? more[0] : undefined
        answer = {
          status,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ data: { frames, retraced, note: text }, error: { message: text } }),
        }
        const output = await written(async () => {
          try {
            printExplanation(await askIntake(QUESTION, address), QUESTION.stack)
          } catch (error) {
            if (!(error instanceof SymupError)) throw error
            printLines(renderProblems(error.problems), process.stdout as Output)
          }
        })
        expectLines(output, true)
      }),
      RUNS,
    )
  }, 60_000)
})

describe('symup explain --intake', () => {
  const ask = async (answer: Answer) => {
    const { url, close } = await startServer(answer)
    const limits = { milliseconds: 500, bytes: 1024 }
    const intake = { url, appKey: new Secret('a-key-of-some-length'), connection: {} }
    return askIntake(QUESTION, intake, limits).finally(close)
  }

  it.each([
    ['a body that stalls', '{"data":', /Could not reach /],
    ['an endless body', ' '.repeat(4096), /not come from an intake/],
  ])('stops at %s', async (_, text, message) => {
    await expect(ask((_request, response) => response.write(text))).rejects.toThrow(message)
  })

  it.each([
    ['Unauthorized', 'app-key-refused'],
    ['AccessDenied', 'app-key-refused'],
    ['RequestTooFrequently', 'rate-limited'],
    ['InternalError', 'server-error'],
    ['InvalidParameter', 'value-invalid'],
  ])('interprets the error code %s rather than the HTTP status', async (code, problem) => {
    const body = JSON.stringify({ error: { code, message: 'no' } })
    await expect(ask((_request, response) => response.end(body))).rejects.toMatchObject({
      problems: [{ code: problem }],
    })
  })
})
