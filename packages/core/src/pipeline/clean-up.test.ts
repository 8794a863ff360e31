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
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import type { Settings } from '../settings/settings.ts'
import { cleanUp } from './clean-up.ts'
import type { BuildOutput } from './outputs.ts'
import { STAGED_MARK } from './staging.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-after-'))
  mkdirSync(join(root, 'dist'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const inDist = (file: string) => join(root, 'dist', file)
const MAP = '{"version":3,"sources":[],"mappings":""}'

function artifact(script: string, map = `${script}.map`, url = `/shop/${script}`): SymbolUpload {
  for (const file of [script, map]) writeFileSync(inDist(file), file === map ? MAP : 'a()')
  const part = (name: string, file: string) => ({ name, filename: name, path: inDist(file), bytes: 1 })
  return {
    event: scriptEvent(url, "the shop's"),
    parts: [part('source_map', map), part('minified_file', script)],
  }
}

const setting = <T>(value: T, kind: 'option' | 'environment' = 'environment') => ({
  value,
  from: { kind, name: 'x' },
  overrode: [],
})
const settingsWith = (more: Partial<Settings> = {}): Settings => ({
  endpoint: setting('https://intake.example.com/sourcemap/upload'),
  service: setting("the shop's"),
  version: setting('1.2.3'),
  minifiedPathPrefix: setting('/shop/'),
  cacheDirectory: setting(join(root, 'cache')),
  ...more,
})
const outputOf = (deletable: string[], clears = false): BuildOutput[] => [
  { directory: join(root, 'dist'), files: new Set(), deletable: new Set(deletable), clears },
]

interface Run {
  uploads: SymbolUpload[]
  statuses: OutcomeStatus[]
  deletable?: string[]
  clears?: boolean
  settings?: Partial<Settings>
  workingDirectory?: string
}

async function run({ uploads, statuses, deletable = [], clears, settings, workingDirectory = root }: Run) {
  const { lines, problems } = await cleanUp({
    ...{ outputs: outputOf(deletable, clears), settings: settingsWith(settings), root, workingDirectory },
    artifacts: uploads.map((upload, index) => ({ upload, status: statuses[index] })),
    toolVersion: '9.9.9',
    git: true,
  })
  const texts = lines.map(({ text }) => text.replaceAll(`${root}/`, ''))
  return { texts, problems, left: readdirSync(join(root, 'dist')).filter((file) => file.includes('.map')) }
}

describe('deleting maps after an upload', () => {
  it('deletes accepted maps and nothing else', async () => {
    const uploads = ['a.js', 'b.js', 'c.js', 'd.js', 'e.js'].map((file) => artifact(file))
    writeFileSync(inDist('old.js.map'), MAP)
    const statuses: OutcomeStatus[] = ['accepted', 'already-there', 'refused', 'failed', 'not-tried']
    const deletable = ['a.js.map', 'b.js.map', 'c.js.map', 'd.js.map', 'e.js.map', 'old.js.map']
    const { left, texts, problems } = await run({ uploads, statuses, deletable })
    expect(left).toEqual(['c.js.map', 'd.js.map', 'e.js.map', 'old.js.map'])
    expect(texts).toContain('Deleted 2 uploaded source maps.')
    expect(problems).toEqual([])
    expect(existsSync(inDist('a.js'))).toBe(true)
  })

  it('keeps accepted maps that must not be deleted', async () => {
    const { left, texts } = await run({ uploads: [artifact('a.js')], statuses: ['accepted'] })
    expect([left, texts]).toEqual([['a.js.map'], []])
  })

  it('keeps a map shared with an artifact that was not accepted', async () => {
    const uploads = [artifact('a.js', 'shared.map'), artifact('b.js', 'shared.map')]
    const { left } = await run({ uploads, statuses: ['accepted', 'failed'], deletable: ['shared.map'] })
    expect(left).toEqual(['shared.map'])
  })

  it('reports which map could not be deleted', async () => {
    const uploads = [artifact('a.js')]
    rmSync(inDist('a.js.map'))
    mkdirSync(inDist('a.js.map'))
    const { problems } = await run({ uploads, statuses: ['accepted'], deletable: ['a.js.map'] })
    expect(problems).toMatchObject([{ code: 'map-not-deleted', file: 'dist/a.js.map', severity: 'error' }])
  })

  it('treats a missing map as deleted, and removes the comment that names it', async () => {
    const uploads = [artifact('a.js')]
    writeFileSync(inDist('a.js'), 'a()\n//# sourceMappingURL=a.js.map')
    rmSync(inDist('a.js.map'))
    const { problems } = await run({ uploads, statuses: ['accepted'], deletable: ['a.js.map'] })
    expect(problems).toEqual([])
    expect(readFileSync(inDist('a.js'), 'utf8')).toBe('a()')
  })

  it.each([
    ['is the map', () => symlinkSync(join(root, 'mine.map'), inDist('a.js.map')), 'a.js'],
    [
      'is in the path',
      () => {
        mkdirSync(join(root, 'elsewhere'))
        writeFileSync(join(root, 'elsewhere/a.js.map'), MAP)
        symlinkSync(join(root, 'elsewhere'), inDist('sub'))
      },
      'sub/a.js',
    ],
  ])('deletes nothing if a symbolic link %s', async (_, make, script) => {
    writeFileSync(join(root, 'mine.map'), MAP)
    make()
    const path = inDist(`${script}.map`)
    const upload: SymbolUpload = {
      ...artifact('b.js'),
      parts: [{ name: 'source_map', filename: 'source_map', path, bytes: 1 }],
    }
    for (const clears of [false, true]) {
      const { problems } = await run({
        uploads: [upload],
        statuses: ['accepted'],
        deletable: [`${script}.map`],
        clears,
      })
      expect(problems).toMatchObject([{ code: 'map-not-deleted', message: expect.stringContaining('symbolic link') }])
    }
    expect(existsSync(path)).toBe(true)
    expect(existsSync(join(root, 'mine.map'))).toBe(true)
  })

  it.each<OutcomeStatus>(['accepted', 'failed'])(
    'deletes nothing outside the output directory, and does not fail, because such maps are not deployed: %s',
    async (status) => {
      const { problems } = await run({
        uploads: [artifact('a.js', '../up.js.map')],
        statuses: [status],
        deletable: ['../up.js.map', '../other.map'],
        clears: true,
      })
      expect(existsSync(join(root, 'up.js.map'))).toBe(true)
      expect(problems).toMatchObject([{ code: 'map-not-deleted', severity: 'info', file: 'up.js.map' }])
    },
  )
})

describe('an output directory that must not contain maps', () => {
  it('loses the maps that are not sent, but keeps other files', async () => {
    for (const [file, text] of Object.entries({ 'a.css.map': MAP, 'orphan.map': MAP, 'world.map': '{"tiles":[1]}' }))
      writeFileSync(inDist(file), text)
    const deletable = ['a.css.map', 'orphan.map', 'world.map', 'gone.js.map']
    const { left, texts, problems } = await run({ uploads: [], statuses: [], deletable, clears: true })
    expect(left).toEqual(['world.map'])
    expect(texts).toEqual(['Deleted 2 source maps that the intake does not need.'])
    expect(problems).toEqual([])
  })

  it('moves unsent maps to the cache with their scripts and a command to send them', async () => {
    mkdirSync(inDist('assets'))
    const uploads = [artifact('a.js'), artifact('assets/b.js', 'assets/b.js.map'), artifact('c.js')]
    const deletable = ['a.js.map', 'assets/b.js.map', 'c.js.map']
    const { left, texts } = await run({
      uploads,
      statuses: ['accepted', 'failed', 'not-tried'],
      deletable,
      clears: true,
    })
    expect(left).toEqual([])
    const place = "cache/staged/the%20shop's@1.2.3/dist"
    const staged = readdirSync(join(root, place), { recursive: true }).map(String).sort()
    expect(staged).toEqual([STAGED_MARK, 'assets', 'assets/b.js', 'assets/b.js.map', 'c.js', 'c.js.map'])
    expect(existsSync(inDist('assets/b.js'))).toBe(true)
    expect(texts).toEqual([
      "The source maps that were not sent were moved to cache/staged/the%20shop's@1.2.3. To send the missing files, run:",
      `  npx symup@9.9.9 web upload '${place.replace("'", "'\\''")}' --service 'the shop'\\''s' --release-version 1.2.3 --minified-path-prefix /shop/ --delete-after-upload`,
      'Deleted 1 uploaded source map.',
    ])
  })

  it('keeps the URLs from a framework separate', async () => {
    const uploads = [artifact('a.js'), artifact('b.js', 'b.js.map', 'https://cdn.example.com/_next/b.js')]
    const { texts } = await run({ uploads, statuses: [], deletable: ['a.js.map', 'b.js.map'], clears: true })
    expect(texts.filter((text) => text.includes('npx'))).toEqual([
      expect.stringMatching(/dist' .*--minified-path-prefix \/shop\/ /),
      expect.stringMatching(/dist-2' .*--minified-path-prefix https:\/\/cdn\.example\.com\/_next /),
    ])
  })

  it('keeps a map and reports an error if the cache cannot be written', async () => {
    writeFileSync(join(root, 'cache'), 'a file')
    const { problems, left } = await run({
      uploads: [artifact('a.js')],
      statuses: ['failed'],
      deletable: ['a.js.map'],
      clears: true,
    })
    expect(left).toEqual(['a.js.map'])
    expect(problems).toMatchObject([{ code: 'map-not-deleted', severity: 'error', file: 'dist/a.js.map' }])
  })
})

describe('the command that sends the missing files', () => {
  const textOf = async (statuses: OutcomeStatus[], more: Partial<Run> = {}, projectPath = '') => {
    const uploads = [artifact('a.js'), artifact('b.js')]
    for (const { event } of uploads) if ('project_path' in event) event.project_path = projectPath
    return (await run({ uploads, statuses, ...more })).texts
  }

  it('quotes the command for a shell, and shows it once per directory', async () => {
    expect(await textOf(['failed', 'not-tried'])).toEqual([
      'The source maps are still in the output. To send the missing files, run:',
      "  npx symup@9.9.9 web upload dist --service 'the shop'\\''s' --release-version 1.2.3 --minified-path-prefix /shop/ --resume",
    ])
  })

  it('names the project if the working directory is different', async () => {
    const [, command] = await textOf(['failed'], { workingDirectory: join(root, '..') })
    expect(command).toContain(`web upload dist --cwd ${root.split('/').at(-1)} --service`)
  })

  it('includes the service and prefix of server scripts if they differ', async () => {
    const uploads = [artifact('a.js')]
    for (const upload of uploads) Object.assign(upload.event, { service: 'ssr', minified_url: '/app/server/a.js' })
    const [, command] = (await run({ uploads, statuses: ['failed'] })).texts
    expect(command).toContain('--service ssr --release-version 1.2.3 --minified-path-prefix /app/server --resume')
  })

  it('shows the command once per prefix, for the files with that prefix', async () => {
    mkdirSync(inDist('assets'))
    const at = (url: string) => artifact(url.replace(/^.*com\/|^\//, ''), undefined, url)
    const cdn = ['assets/a.js', 'assets/b.js', 'c.js'].map((file) => at(`https://cdn.example.com/${file}`))
    const uploads = [...cdn, at('/assets/worker.js'), at('/sw.js')]
    const [, first, second] = (await run({ uploads, statuses: [] })).texts
    expect(first).toMatch(
      /--minified-path-prefix https:\/\/cdn\.example\.com --include assets\/a\.js --include assets\/b\.js --include c\.js --resume$/,
    )
    expect(second).toMatch(/--minified-path-prefix \/ --include assets\/worker\.js --include sw\.js --resume$/)
  })

  it('repeats settings that come only from options, except the key', async () => {
    const endpoint = setting('https://h/sourcemap/upload', 'option')
    const [first, command] = await textOf(['failed', 'accepted'], { settings: { endpoint } }, 'packages/app')
    expect(command).toContain('--project-path packages/app --endpoint https://h/sourcemap/upload --resume')
    expect(first).not.toContain('SYMUP_API_KEY')
  })

  it('shows no command if every artifact arrived', async () => {
    expect(await textOf(['accepted', 'already-there'])).toEqual([])
  })
})
