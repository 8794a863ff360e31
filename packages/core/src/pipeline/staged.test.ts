import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { problem } from '../problems/problems.ts'
import type { Settings } from '../settings/settings.ts'
import { clearMaps } from './clean-up.ts'
import { collectStaged } from './collect-staged.ts'
import type { BuildOutput } from './outputs.ts'
import { POLICIES } from './policy.ts'
import { ledgerFile } from './project-cache.ts'
import { accepted, reportOf } from './report.fixture.ts'
import { deleteStagedCopies, readStaged, STAGED_MARK } from './staging.ts'
import { type Ending, type Judging, verdictOf } from './verdict.ts'

// Tests how artifacts are staged and found. The tests in test/e2e run the whole command.

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-staged-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}'
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const setting = <T>(value: T, kind: 'option' | 'default' = 'option') => ({
  value,
  from: { kind, name: 'x' },
  overrode: [],
})
const settings = (more: Partial<Settings> = {}): Settings => ({
  endpoint: setting('https://intake.example.com/sourcemap/upload'),
  service: setting('the shop'),
  version: setting('1/2'),
  minifiedPathPrefix: setting('/shop'),
  cacheDirectory: setting(join(root, 'cache')),
  ...more,
})
const artifact = (file: string, url: string, service = 'the shop'): SymbolUpload => {
  write(`dist/${file}`, `a()\n//# sourceMappingURL=${file.split('/').at(-1)}.map\n`)
  write(`dist/${file}.map`, MAP)
  const part = (name: string, of: string) => ({ name, filename: of, path: join(root, 'dist', of), bytes: 1 })
  return {
    event: {
      type: 'js_sourcemap',
      cli_version: '0',
      service,
      version: '1/2',
      minified_url: url,
      project_path: 'apps/web',
    },
    parts: [part('source_map', `${file}.map`), part('minified_file', file)],
  }
}
const output = { directory: '', files: new Set<string>(), deletable: new Set<string>() }
const clear = (given: BuildOutput, uploads: SymbolUpload[], own: Settings, later = false) =>
  clearMaps({
    outputs: [given],
    artifacts: uploads.map((upload) => ({ upload })),
    settings: own,
    root,
    later,
    toolVersion: '9',
  })
const RELEASE = {
  type: 'js_sourcemap',
  service: 'the shop',
  version: '1/2',
  path: '.',
  flags: { projectPath: 'apps/web' },
}

describe('a staged release', () => {
  it('does not find a staged release from another project with the same cache', async () => {
    const cacheDirectory = setting(join(root, 'cache'), 'default')
    const failed = { ...output, directory: join(root, 'dist'), deletable: new Set(['a.js.map']), clears: true }
    const { staged } = clear(failed, [artifact('a.js', '/shop/a.js')], settings({ cacheDirectory }))
    expect(staged).toHaveLength(1)
    const context = { settings: settings({ cacheDirectory }), cwd: join(root, 'other'), toolVersion: '9' } as never
    expect(await collectStaged(context)).toMatchObject({ uploads: [], problems: [{ code: 'nothing-found' }] })
  })

  it('keeps a marked copy for each service and prefix, and finds and clears it', async () => {
    const uploads = [
      artifact('a.js', '/shop/a.js'),
      artifact('in/b.js', 'https://cdn/in/b.js'),
      artifact('c.js', '/shop/c.js', 'server'),
    ]
    const given = { ...output, directory: join(root, 'dist'), deletable: new Set(['a.js.map']) }
    const { staged, problems, gone } = clear(given, uploads, settings(), true)
    expect(problems).toEqual([])
    const top = join(root, 'cache/staged/the%20shop@1%2F2')
    expect(staged.map(({ directory, prefix }) => [directory, prefix])).toEqual([
      [join(top, 'dist'), '/shop'],
      [join(top, 'dist-2'), 'https://cdn'],
      [join(top, 'dist-3'), '/shop'],
    ])
    expect(gone).toEqual([join(root, 'dist/a.js.map')])
    // Staging does not remove maps that may stay in the output.
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['a.js', 'c.js', 'c.js.map', 'in'])
    expect(readStaged(join(top, 'dist'))).toEqual({ ...RELEASE, minifiedPathPrefix: '/shop' })
    expect(readStaged(join(top, 'dist-2'))).toEqual({ ...RELEASE, minifiedPathPrefix: 'https://cdn' })
    expect(readStaged(join(top, 'dist-3'))).toMatchObject({ service: 'server' })

    write('cache/staged/other@1/unmarked/x.js', 'x()')
    const found = await collectStaged({ settings: settings(), cwd: root, toolVersion: '9' } as never)
    expect(found.problems).toEqual([])
    expect([found.keyOnly, found.directories]).toEqual([true, staged.map(({ directory }) => directory)])
    expect(found.uploads.map(({ event }) => 'minified_url' in event && [event.minified_url, event.service])).toEqual([
      ['/shop/a.js', 'the shop'],
      ['https://cdn/in/b.js', 'the shop'],
      ['/shop/c.js', 'server'],
    ])
    expect(found.outputs?.map(({ files, deletable }) => [[...files].sort(), [...deletable]])).toEqual([
      [['a.js', 'a.js.map'], ['a.js.map']],
      [['in/b.js', 'in/b.js.map'], ['in/b.js.map']],
      [['c.js', 'c.js.map'], ['c.js.map']],
    ])

    const sent = (name: string, map: string) => {
      rmSync(join(top, name, map))
      deleteStagedCopies(join(top, name), found.uploads, [join(top, name, map)])
    }
    deleteStagedCopies(join(top, 'dist'), found.uploads, [])
    expect(readdirSync(join(top, 'dist')).sort()).toEqual([STAGED_MARK, 'a.js', 'a.js.map'])
    sent('dist', 'a.js.map')
    sent('dist-2', 'in/b.js.map')
    expect(readdirSync(top)).toEqual(['dist-3'])
    sent('dist-3', 'c.js.map')
    expect(existsSync(top)).toBe(false)
  })

  it('stages in the project if no cache directory is set, with every map that a build could not send', async () => {
    const uploads = [artifact('a.js', '/shop/a.js')]
    const given = { ...output, directory: join(root, 'dist'), deletable: new Set(['a.js.map']), clears: true }
    const own = settings({ cacheDirectory: setting(join(root, 'users'), 'default') })
    const later = clear({ ...given, deletable: new Set() }, uploads, own, true)
    expect(later.staged[0]?.directory).toBe(join(root, 'node_modules/.cache/symup/staged/the%20shop@1%2F2/dist'))
    const now = clear(given, uploads, own)
    expect(now.staged[0]?.directory).toBe(join(root, 'users/staged/the%20shop@1%2F2/dist'))
    expect(existsSync(join(root, 'dist/a.js.map'))).toBe(false)
    expect(readFileSync(join(root, 'users/staged/the%20shop@1%2F2/dist/a.js.map'), 'utf8')).toBe(MAP)
    const message = 'The source map could not be moved out of the output (ENOENT).'
    expect(clear(given, uploads, own)).toMatchObject({
      staged: [],
      problems: [{ code: 'map-not-deleted', file: 'dist/a.js.map', message }],
    })
  })

  it('names the searched directory if no staged release exists', async () => {
    const found = await collectStaged({ settings: settings(), cwd: root, toolVersion: '9' } as never)
    expect(found).toMatchObject({ uploads: [], outputs: [], directories: [], keyOnly: true })
    expect(found.problems).toMatchObject([
      { code: 'nothing-found', message: 'cache/staged contains no staged source maps.' },
    ])
    expect(found.problems[0]?.fix).toBe(
      "First, set upload: 'later' in the plugin options and run the build. To use another project directory, pass --cwd.",
    )
  })

  const mark = { ...RELEASE, minifiedPathPrefix: '/shop' }
  const flags = { platform: 'ios', buildVersion: '7' }
  const bundle = { ...mark, type: 'react_native_sourcemap', minifiedPathPrefix: '', path: 'main.jsbundle', flags }
  it.each<[string, unknown, boolean]>([
    ['all its fields', mark, true],
    ['an empty prefix', { ...mark, minifiedPathPrefix: '', flags: { projectPath: '' } }, true],
    ['the flags of a bundle', bundle, true],
    ['no object', null, false],
    ['another type', { ...mark, type: 'repository' }, false],
    ['no service', { ...mark, service: '' }, false],
    ['no version', { ...mark, version: '' }, false],
    ['a numeric version', { ...mark, version: 1 }, false],
    ['no prefix', { ...mark, minifiedPathPrefix: undefined }, false],
    ['no flags', { ...mark, flags: undefined }, false],
    ['a kind that is never staged', { ...mark, type: 'ios_symbols', flags: {} }, false],
    ['an unknown flag', { ...mark, flags: { out: '/' } }, false],
    ['a flag that refers to a file', { ...bundle, flags: { ...flags, packagerMap: '/other.map' } }, false],
    ['another flag of the command', { ...mark, flags: { projectPath: '', disableGit: '' } }, false],
    ['a numeric flag', { ...bundle, flags: { ...flags, buildVersion: 7 } }, false],
    ['an unknown platform', { ...bundle, flags: { ...flags, platform: 'windows' } }, false],
    ['a path in another directory', { ...bundle, path: '../main.jsbundle' }, false],
    ['a numeric path', { ...bundle, path: 3 }, false],
    ['an excessive size', { ...mark, about: 'x'.repeat(70_000) }, false],
  ])('checks a mark with %s', (_, content, isRead) => {
    write(STAGED_MARK, JSON.stringify(content))
    const { about: __, ...expected } = (content ?? {}) as { about?: string }
    expect(readStaged(root)).toEqual(isRead ? expected : undefined)
  })

  it('ignores a staged release whose mark is a link to other files', async () => {
    const at = 'cache/staged/s@1/bundle'
    for (const file of ['main.jsbundle', 'main.jsbundle.map'])
      write(`${at}/${file}`, file.endsWith('.map') ? MAP : 'a()')
    artifact('a.js', '/shop/a.js')
    const collected = async (content: object) => {
      write(`${at}/${STAGED_MARK}`, JSON.stringify(content))
      return (await collectStaged({ settings: settings(), cwd: root, toolVersion: '9' } as never)).uploads
    }
    expect(await collected(bundle)).toMatchObject([
      { event: { platform: 'ios', build_version: '7', bundle_name: 'main.jsbundle' } },
    ])
    symlinkSync(join(root, 'dist'), join(root, at, 'link'))
    expect(await collected({ ...mark, path: 'link' })).toEqual([])
  })

  it('ignores a staged release whose mark is missing or not JSON', () => {
    expect(readStaged(root)).toBeUndefined()
    write(STAGED_MARK, '{')
    expect(readStaged(root)).toBeUndefined()
  })
})

describe('the last line of a dry run', () => {
  const judging: Judging = { policy: POLICIES.strict, failOnWarnings: false, dryRun: false, settings: {} }
  const upload = (): SymbolUpload => artifact('a.js', '/shop/a.js')
  const [missing, odd] = [problem('nothing-found', 'None.'), problem('config-field-unknown', 'It is odd.')]
  const leak = problem('leak-map', 'It leaks.', { severity: 'error', file: 'a.js.map' })

  it('reports artifacts that would not resolve as an error, and says that nothing was sent', () => {
    const plan = { uploads: [upload()], problems: [odd] }
    expect(verdictOf({ kind: 'unproven', plan }, [], judging)).toMatchObject({
      exitCode: 1,
      summary: { severity: 'error', text: 'Nothing was uploaded because some stacks would not resolve.' },
      problems: [{ code: 'config-field-unknown' }],
      document: { outcomes: [], problems: [{ code: 'config-field-unknown' }] },
    })
  })

  it.each([
    ['nothing to report', [], false, 0, 'info', undefined],
    ['a warning', [odd], false, 0, 'info', undefined],
    [
      'a warning that counts as a failure',
      [odd],
      true,
      1,
      'error',
      'The run failed because warnings are treated as errors.',
    ],
    ['a leak', [leak], false, 1, 'error', 'However, a.js.map must not be deployed.'],
  ] as const)('reports the result with %s', (_, found, failOnWarnings, exitCode, severity, end) => {
    const plan = { uploads: [upload()], problems: [] }
    const dry = verdictOf({ kind: 'dry-run', plan }, found, { ...judging, failOnWarnings })
    expect([dry.exitCode, dry.summary.severity]).toEqual([exitCode, severity])
    expect(dry.summary.text).toMatch(/^Dry run: would upload 1 artifact, .*B\./)
    const kept = verdictOf({ kind: 'kept', plan, command: 'symup upload --staged' }, found, {
      ...judging,
      failOnWarnings,
    })
    expect([kept.exitCode, kept.summary.severity]).toEqual([exitCode, severity])
    expect(kept.summary.text).toMatch(/^Kept 1 artifact, .*\. To upload later, run: symup upload --staged/)
    expect(/B\. (.*)$/.exec(dry.summary.text)?.[1]).toBe(end)
  })

  it('reports an empty upload as an error if the policy requires it', () => {
    const ending: Ending = { kind: 'dry-run', plan: { uploads: [], problems: [missing] } }
    const verdict = verdictOf(ending, [], judging)
    expect([verdict.exitCode, verdict.summary.severity]).toEqual([3, 'error'])
    expect(verdict.summary.text).toMatch(/B\. The run failed because of the problems above\.$/)
    const passing = verdictOf(ending, [], { ...judging, policy: POLICIES.local })
    expect([passing.exitCode, passing.summary.severity]).toEqual([0, 'warning'])
  })

  it('names a leak in a warning if the policy lets it pass', () => {
    const policy = { ...POLICIES.ci, leak: 'warn' } as const
    const ending = { kind: 'sent', report: reportOf([accepted]) } as const
    const verdict = verdictOf(ending, [leak], { ...judging, policy, subject: () => 'shop' })
    expect([verdict.exitCode, verdict.summary.severity]).toEqual([0, 'warning'])
    expect(verdict.summary.text).toMatch(/ However, a\.js\.map must not be deployed\. \(shop\)$/)
  })
})

describe('the cache of a project', () => {
  it('keeps a ledger if the project has installed packages, a directory is set, or a run resumes', () => {
    const chosen = settings()
    const usual = settings({ cacheDirectory: setting(join(root, 'cache'), 'default') })
    const path = join(root, 'cache/ledger.jsonl')
    const of = (given: Settings, wanted?: string | boolean, resume = false) =>
      ledgerFile(given, { project: root, wanted, resume })
    expect([of(chosen), of(usual), of(usual, undefined, true), of(usual, true)]).toEqual([path, undefined, path, path])
    expect([of(chosen, false), of(chosen, false, true), of(usual, 'own.jsonl')]).toEqual([
      undefined,
      undefined,
      join(root, 'own.jsonl'),
    ])
    mkdirSync(join(root, 'node_modules'))
    expect(of(usual)).toBe(path)
  })
})
