import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../support/build-fixture.ts'
import { buildPackages } from '../support/build-package.ts'
import { symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { useIntake } from '../support/intake.ts'

const recipes = join(ROOT, 'docs/recipes')

const place = useDirectory()
const intake = useIntake()
beforeAll(() => {
  // `symup` and `npx symup`, as found by a project that has symup installed.
  const bin = join(place, 'bin')
  mkdirSync(bin)
  const line = [process.execPath, ...symupArguments([])].map((word) => `'${word}'`).join(' ')
  writeFileSync(join(bin, 'symup'), `#!/bin/sh\nexec ${line} "$@"\n`)
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nexec "$@"\n`)
  for (const name of ['symup', 'npx']) chmodSync(join(bin, name), 0o755)
})

/** The code blocks in a language, in order. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(recipes, page), 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code as string)
}

/** Shell lines on a page that its CI would run. */
const SCRIPTS: Readonly<Record<string, () => string[]>> = {
  'github-actions.md': () => {
    const { jobs } = parse(blocks('github-actions.md', 'yaml')[0] as string)
    return jobs.release.steps.flatMap(({ run }: { run?: string }) => run ?? [])
  },
  'gitlab.md': () => {
    const { stages, ...jobs } = parse(blocks('gitlab.md', 'yaml')[0] as string)
    expect(Object.values(jobs as Record<string, { stage: string }>).map(({ stage }) => stage)).toEqual(stages)
    return Object.values(jobs as Record<string, { script: string[] }>).flatMap(({ script }) => script)
  },
  'jenkins.md': () => {
    const pipeline = blocks('jenkins.md', 'groovy')[0] as string
    expect(pipeline.split('{').length).toBe(pipeline.split('}').length)
    return [...pipeline.matchAll(/^\s*sh (['"])(.*)\1$/gm)].map(([, , line]) => line as string)
  },
  'monorepo.md': () => {
    const [manifest, turbo, nx] = blocks('monorepo.md', 'json').map((text) => JSON.parse(text))
    expect([turbo.tasks.symbols.cache, nx.targetDefaults.symbols.cache]).toEqual([false, false])
    return [manifest.scripts.symbols]
  },
}

/** test/frameworks/recipes*.nightly.test.ts builds these, throws errors in them and resolves the stacks. */
const BUILT = ['electron.md', 'module-federation.md', 'node-servers.md', 'parcel.md', 'release.md', 'workers.md']

it('runs and lists every recipe', () => {
  const pages = readdirSync(recipes).filter((page) => page !== 'README.md')
  expect(pages.sort()).toEqual([...Object.keys(SCRIPTS), ...BUILT].sort())
  for (const page of pages) expect(readFileSync(join(recipes, 'README.md'), 'utf8')).toContain(`](${page})`)
})

describe.each(Object.entries(SCRIPTS))('the recipe %s', (page, scripts) => {
  it('uploads a build with the commands in a recipe, and uploads it again when resumed', async () => {
    const cwd = join(place, page)
    mkdirSync(cwd)
    writeFileSync(
      join(cwd, 'app.ts'),
      `export const a = (n: number) => {\n  if (n < 0) throw new Error('${page}')\n}\na(1)\n`,
    )
    await build({ entryPoints: [join(cwd, 'app.ts')], outdir: join(cwd, 'dist'), minify: true, sourcemap: 'external' })
    const lines = scripts().filter((line) => !/^npm /.test(line))
    expect(lines.some((line) => line.includes('symup web upload'))).toBe(true)
    const before = (await intake.uploads()).length
    for (const line of lines) expect(await shell(line, cwd), line).toMatchObject({ exitCode: 0 })
    const uploads = await intake.uploads()
    expect(uploads.slice(before).map(({ service, version }) => [service, version])).toEqual([['shop', `1.2.3-${page}`]])
    if (lines.some((line) => line.includes('find dist'))) expect(existsSync(join(cwd, 'dist/app.js.map'))).toBe(false)
    else expect((await shell(lines.at(-1) as string, cwd)).stdout).toContain('already')
  })
})

it('keeps maps for a later upload if the intake is unreachable, in the recipe for GitHub', async () => {
  const page = 'github-actions.md'
  const cwd = join(place, 'away')
  mkdirSync(cwd)
  for (const name of ['app', 'other'])
    writeFileSync(
      join(cwd, `${name}.ts`),
      `export const a = (n: number) => {\n  throw new Error('${name}' + n)\n}\na(1)\n`,
    )
  const entryPoints = ['app.ts', 'other.ts'].map((file) => join(cwd, file))
  await build({ entryPoints, outdir: join(cwd, 'dist'), minify: true, sourcemap: 'external' })
  const lines = SCRIPTS[page]?.().filter((line) => !/^npm /.test(line)) ?? []
  for (const line of lines) expect(await shell(line, cwd, 'http://127.0.0.1:1'), line).toMatchObject({ exitCode: 0 })
  expect(readdirSync(join(cwd, 'dist'))).toEqual(['app.js', 'other.js'])
  const before = (await intake.uploads()).length
  expect(await shell(blocks(page, 'sh')[0] as string, cwd)).toMatchObject({ exitCode: 0 })
  expect(await intake.uploads()).toHaveLength(before + 2)
  expect(readdirSync(join(cwd, 'symbols-to-send'))).toEqual(['app.js', 'other.js'])
}, 60_000)

it('sends artifacts that a build kept and a cache restored, in the recipe for monorepos', async () => {
  const cwd = join(place, 'kept')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'index.html'), '<script type="module" src="/app.js"></script>')
  writeFileSync(join(cwd, 'app.js'), 'export const a = (n) => {\n  throw new Error(String(n))\n}\na(1)\n')
  const config = blocks('monorepo.md', 'js')[0] as string
  await buildPackages()
  const plugin = pathToFileURL(join(ROOT, 'packages/unplugin/dist/vite.js')).href
  writeFileSync(join(cwd, 'vite.config.mjs'), config.replace('@symup/unplugin/vite', plugin))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const built = await shell(`env -u SYMUP_API_KEY '${process.execPath}' '${vite}' build`, cwd)
  expect(built.stdout).toContain('Kept 1 artifact')
  // Another machine gets only the outputs that the cache contains.
  const other = join(place, 'other')
  for (const output of ['dist', 'node_modules/.cache/symup/staged'])
    cpSync(join(cwd, output), join(other, output), { recursive: true })
  const { scripts } = JSON.parse(blocks('monorepo.md', 'json').at(-1) as string)
  expect(await shell(scripts.symbols, other)).toMatchObject({ exitCode: 0 })
  const sent = (await intake.uploads()).filter(({ version }) => version === '1.2.3-kept')
  expect(sent.map(({ service }) => service)).toEqual(['shop'])
}, 240_000)

function shell(
  line: string,
  cwd: string,
  endpoint = intake.url,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const version = `1.2.3-${cwd.split('/').at(-1)}`
  const env = {
    ...{ PATH: `${join(place, 'bin')}${delimiter}${process.env.PATH}`, SYMUP_API_KEY: 'dev-api-key' },
    ...{ SYMUP_ENDPOINT: endpoint, GITHUB_REF_NAME: `v${version}`, CI_COMMIT_TAG: version, VERSION: version },
    RELEASE: version,
  }
  return new Promise((done) => {
    execFile('sh', ['-ec', line], { cwd, env }, (error, stdout, stderr) => {
      done({ exitCode: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
