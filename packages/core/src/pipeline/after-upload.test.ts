import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus, Report } from '../model/report.ts'
import type { Settings } from '../settings/settings.ts'
import { deleteMaps } from './delete-maps.ts'
import type { BuildOutput } from './outputs.ts'
import { resumeCommands } from './resume-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-after-'))
  mkdirSync(join(root, 'dist'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const inDist = (file: string) => join(root, 'dist', file)

function artifact(script: string, map = `${script}.map`, url = `/${script}`): SymbolUpload {
  for (const file of [script, map]) writeFileSync(inDist(file), `{ "of": "${file}" }`)
  const part = (name: string, file: string) => ({ name, filename: name, path: inDist(file), bytes: 1 })
  return {
    event: { type: 'js_sourcemap', cli_version: '0', service: 's', version: '1', minified_url: url, project_path: '' },
    parts: [part('source_map', map), part('minified_file', script)],
  }
}

function reportOf(plan: Plan, statuses: OutcomeStatus[]): Report {
  const outcomes = plan.uploads.map(({ event }, index) => ({
    event,
    status: statuses[index] as OutcomeStatus,
    attempts: 1,
    bytes: 1,
  }))
  const totals = { accepted: 0, alreadyThere: 0, refused: 0, failed: 0, notTried: 0, bytesSent: 0, milliseconds: 0 }
  return { outcomes, problems: [], totals }
}

const outputOf = (deletable: string[]): BuildOutput[] => [
  { directory: join(root, 'dist'), files: new Set(), deletable: new Set(deletable) },
]

describe('deleteMaps', () => {
  it('deletes what was accepted, and nothing else', async () => {
    const plan: Plan = { uploads: ['a.js', 'b.js', 'c.js', 'd.js', 'e.js'].map((file) => artifact(file)), problems: [] }
    writeFileSync(inDist('old.js.map'), '{}')
    const report = reportOf(plan, ['accepted', 'already-there', 'refused', 'failed', 'not-tried'])
    const deletable = ['a.js.map', 'b.js.map', 'c.js.map', 'd.js.map', 'e.js.map', 'old.js.map']
    const { lines, problems } = await deleteMaps(outputOf(deletable), plan, report, root)
    const left = deletable.filter((file) => existsSync(inDist(file)))
    expect(left).toEqual(['c.js.map', 'd.js.map', 'e.js.map', 'old.js.map'])
    expect(lines.map(({ text }) => text)).toEqual(['Deleted 2 source maps that the intake has (deleteAfterUpload).'])
    expect(problems).toEqual([])
    expect(existsSync(inDist('a.js'))).toBe(true)
  })

  it('leaves accepted maps that are not to be deleted', async () => {
    const plan: Plan = { uploads: [artifact('a.js')], problems: [] }
    const { lines } = await deleteMaps(outputOf([]), plan, reportOf(plan, ['accepted']), root)
    expect(lines).toEqual([])
    expect(existsSync(inDist('a.js.map'))).toBe(true)
  })

  it('leaves a map that another artifact, which was not accepted, shares', async () => {
    const plan: Plan = { uploads: [artifact('a.js', 'shared.map'), artifact('b.js', 'shared.map')], problems: [] }
    await deleteMaps(outputOf(['shared.map']), plan, reportOf(plan, ['accepted', 'failed']), root)
    expect(existsSync(inDist('shared.map'))).toBe(true)
  })

  it('says which map could not be deleted', async () => {
    const plan: Plan = { uploads: [artifact('a.js')], problems: [] }
    rmSync(inDist('a.js.map'))
    const { problems } = await deleteMaps(outputOf(['a.js.map']), plan, reportOf(plan, ['accepted']), root)
    expect(problems).toMatchObject([{ code: 'map-not-deleted', file: join('dist', 'a.js.map') }])
  })
})

describe('resumeCommands', () => {
  const setting = <T>(value: T, kind: 'option' | 'environment' = 'environment') => ({
    value,
    from: { kind, name: 'x' },
    overrode: [],
  })
  const settings = (more: Partial<Settings> = {}): Settings => ({
    endpoint: setting('https://intake.example.com/sourcemap/upload'),
    service: setting("the shop's"),
    version: setting('1.2.3'),
    minifiedPathPrefix: setting('/shop/'),
    cacheDirectory: setting(root),
    ...more,
  })
  const textOf = (statuses: OutcomeStatus[], more?: Partial<Settings>, projectPath = '') => {
    const uploads = [artifact('a.js'), artifact('b.js')]
    for (const { event } of uploads) if ('project_path' in event) event.project_path = projectPath
    const plan: Plan = { uploads, problems: [] }
    const lines = resumeCommands(outputOf([]), plan, reportOf(plan, statuses), settings(more), root)
    return lines.map(({ text }) => text)
  }

  it('is the command for a shell, once for a directory', () => {
    expect(textOf(['failed', 'not-tried'])).toEqual([
      'The maps stay where they are. To send what is missing:',
      "  symup web upload dist --service 'the shop'\\''s' --release-version 1.2.3 --minified-path-prefix /shop/ --resume",
    ])
  })

  it('repeats what only the options say, but for the key', () => {
    const endpoint = setting('https://h/sourcemap/upload', 'option')
    const [first, command] = textOf(['failed', 'accepted'], { endpoint }, 'packages/app')
    expect(command).toContain('--project-path packages/app --endpoint https://h/sourcemap/upload --resume')
    expect(first).not.toContain('SYMUP_API_KEY')
  })

  it('is not there when everything arrived', () => {
    expect(textOf(['accepted', 'already-there'])).toEqual([])
  })
})
