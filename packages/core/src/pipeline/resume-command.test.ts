import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { type ResumeContext, resumeCommand, sendStagedCommand, type ToSend } from './resume-command.ts'
import { describeAttempt, Phases } from './trace.ts'

const KEY = 'key-that-nobody-may-read'
const ROOT = join('/', 'work', 'shop')

function settingsOf(options: object = {}, env: NodeJS.ProcessEnv = {}): Settings {
  const resolution = resolveSettings({
    options: { service: 'shop', version: '1.2.3', minifiedPathPrefix: '/s', ...options },
    env: { SYMUP_API_KEY: KEY, ...env },
    cwd: ROOT,
    adapter: 'cli',
    ignoreConfigFile: true,
  })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  return resolution.settings
}

const upload = (service: string, projectPath = '') => ({
  event: { ...scriptEvent('/s/a.js', service), project_path: projectPath },
  parts: [],
})
const command = (toSend: Partial<ToSend> = {}, context: Partial<ResumeContext> = {}) =>
  resumeCommand(
    { directory: join(ROOT, 'dist'), uploads: [], isStaged: false, ...toSend },
    { settings: settingsOf(), root: ROOT, workingDirectory: ROOT, toolVersion: '9.8.7', git: true, ...context },
  )

const START = 'npx symup@9.8.7 web upload'
const RELEASE = '--service shop --release-version 1.2.3 --minified-path-prefix /s'

describe('the command that sends the remaining files', () => {
  it.each<[string, Partial<ToSend>, Partial<ResumeContext>, string]>([
    ['names the directory', {}, {}, `${START} dist ${RELEASE} --resume`],
    ['names the project directory', { directory: ROOT }, {}, `${START} . ${RELEASE} --resume`],
    [
      'names the directory relative to the working directory',
      {},
      { workingDirectory: join('/', 'work') },
      `${START} dist --cwd shop ${RELEASE} --resume`,
    ],
    ['sends a staged build', { isStaged: true }, {}, `${START} dist ${RELEASE} --delete-after-upload`],
    ['disables git', {}, { git: false }, `${START} dist ${RELEASE} --disable-git --resume`],
    [
      'contains a different prefix',
      { prefix: 'https://cdn/x y' },
      {},
      `${START} dist --service shop --release-version 1.2.3 --minified-path-prefix 'https://cdn/x y' --resume`,
    ],
    ['contains no prefix', { prefix: '' }, {}, `${START} dist --service shop --release-version 1.2.3 --resume`],
    [
      'contains a service and a path',
      { uploads: [upload("bob's", 'src'), upload('other')] },
      {},
      `${START} dist --service 'bob'\\''s' --release-version 1.2.3 --minified-path-prefix /s --project-path src --resume`,
    ],
    ['contains an empty path', { uploads: [upload('shop')] }, {}, `${START} dist ${RELEASE} --resume`],
    [
      'names some files',
      { only: ['a/**', 'b*.js'] },
      { settings: settingsOf({ include: 'c', exclude: 'd' }) },
      `${START} dist ${RELEASE} --include 'a/**' --include 'b*.js' --exclude d --resume`,
    ],
    [
      'contains the include and exclude globs',
      {},
      { settings: settingsOf({ include: 'a,b', exclude: 'c' }) },
      `${START} dist ${RELEASE} --include a --include b --exclude c --resume`,
    ],
    [
      'contains an endpoint from the options',
      {},
      { settings: settingsOf({ endpoint: 'https://h' }) },
      `${START} dist ${RELEASE} --endpoint https://h/sourcemap/upload --resume`,
    ],
    [
      'omits an endpoint from the environment, which is still set',
      {},
      { settings: settingsOf({}, { SYMUP_ENDPOINT: 'https://h' }) },
      `${START} dist ${RELEASE} --resume`,
    ],
  ])('%s', (_, toSend, context, expected) => expect(command(toSend, context)).toBe(expected))

  it('never shows the key in a command', () => {
    expect(command({}, { settings: settingsOf({ apiKey: KEY }) })).not.toContain(KEY)
  })
})

describe('the command that sends staged artifacts', () => {
  afterEach(() => vi.restoreAllMocks())
  it.each([
    [ROOT, 'npx symup@1 upload --staged'],
    [join('/', 'work'), 'npx symup@1 upload --staged --cwd shop'],
    [join('/', 'work', 'a b'), 'npx symup@1 upload --staged --cwd ../shop'],
  ])('shows the right path in %s', (directory, expected) => {
    vi.spyOn(process, 'cwd').mockReturnValue(directory)
    expect(sendStagedCommand(ROOT, '1')).toBe(expected)
  })
})

describe('the reported times of a run', () => {
  afterEach(() => vi.restoreAllMocks())
  it('lists the phases in order, without the build before them', () => {
    const times = [0, 100, 112.6, 1346]
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number)
    const phases = new Phases()
    phases.begin()
    phases.end('collect')
    phases.end('send')
    expect(phases.text).toBe('Time: collect 13 ms, send 1.2 s')
  })

  it.each<[object, string]>([
    [{ status: 'accepted', milliseconds: 12 }, 'a.js: attempt 2 of 5, accepted after 12 ms'],
    [{ status: 'already-there', milliseconds: 999 }, 'a.js: attempt 2 of 5, already uploaded after 999 ms'],
    [
      { status: 'refused', milliseconds: 1000, code: 'rejected', requestId: '8f2c' },
      'a.js: attempt 2 of 5, refused (rejected) after 1.0 s, request 8f2c',
    ],
    [{ status: 'failed', milliseconds: 1 }, 'a.js: attempt 2 of 5, failed after 1 ms'],
    [{ status: 'not-tried', milliseconds: 1 }, 'a.js: attempt 2 of 5, stopped after 1 ms'],
    [
      { status: 'retry', milliseconds: 1, code: 'server-error', delay: 420 },
      'a.js: attempt 2 of 5, unsuccessful (server-error) after 1 ms, next attempt in 420 ms',
    ],
  ])('lists each attempt: %j', (attempted, expected) => {
    const attempt = { file: 'a.js', attempt: 2, attempts: 5, ...attempted } as Parameters<typeof describeAttempt>[0]
    expect(describeAttempt(attempt)).toBe(expected)
  })
})
