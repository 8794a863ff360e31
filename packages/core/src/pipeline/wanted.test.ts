import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Globs } from '../files/file-filter.ts'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { problem } from '../problems/problems.ts'
import { wantedOf } from './wanted.ts'

type Collection = Parameters<typeof wantedOf>[0]

const SCRIPTS = ['app.js', 'assets/a.js', 'assets/deep/b.js', 'vendor/c.mjs']

let root: string
beforeEach(() => {
  // The path of the output directory contains a directory name that the globs use.
  root = join(mkdtempSync(join(tmpdir(), 'symup-globs-')), 'vendor')
  for (const file of SCRIPTS) write(`dist/${file}`)
})
afterEach(() => rmSync(dirname(root), { recursive: true, force: true }))

function write(file: string): string {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
  return path
}

function script(file: string): SymbolUpload {
  const part = (name: string, path: string) => ({ name, filename: name, path: join(root, 'dist', path), bytes: 1 })
  return {
    event: scriptEvent(`/${file}`),
    parts: [part('source_map', `${file}.map`), part('minified_file', file)],
  }
}

const collected = (more: Partial<Collection> = {}): Collection => ({
  uploads: SCRIPTS.map(script),
  problems: [],
  directories: ['dist'],
  ...more,
})

async function left(globs: Globs, more: Partial<Collection> = {}): Promise<string[]> {
  const { uploads } = await wantedOf(collected(more), globs, root)
  return uploads.map(({ event }) => ('minified_url' in event ? event.minified_url.slice(1) : ''))
}

describe('globs for wanted files', () => {
  it.each<[Globs, string[]]>([
    [{}, SCRIPTS],
    [{ include: '*.js' }, ['app.js']],
    [{ include: 'assets/**' }, ['assets/a.js', 'assets/deep/b.js']],
    [{ include: 'assets\\**' }, ['assets/a.js', 'assets/deep/b.js']],
    [{ include: ['assets\\*.js', '**\\*.mjs'] }, ['assets/a.js', 'vendor/c.mjs']],
    [{ include: '**/*.{js,mjs}', exclude: ['assets/deep/*'] }, ['app.js', 'assets/a.js', 'vendor/c.mjs']],
    [{ exclude: 'vendor/**' }, SCRIPTS.slice(0, 3)],
    // Globs do not match the directory `vendor` above the output directory.
    [{ exclude: '**/vendor/**' }, SCRIPTS.slice(0, 3)],
  ])('selects files: %j leaves %j', async (globs, files) => {
    expect(await left(globs)).toEqual(files)
  })

  it('resolves globs relative to the directory of the given file, and to the innermost output directory', async () => {
    expect(await left({ include: 'b.js' }, { directories: ['dist/assets/deep/b.js'] })).toEqual(
      // Files outside all given directories are wanted.
      ['app.js', 'assets/a.js', 'assets/deep/b.js', 'vendor/c.mjs'],
    )
    expect(await left({ include: 'a.js' }, { directories: ['dist', 'dist/assets'] })).toEqual(['assets/a.js'])
  })

  it('applies globs to a bundle that is sent as an archive', async () => {
    const upload = { ...script('/elsewhere/0.zip'), from: join(root, 'dist/assets/a.js') }
    expect((await wantedOf(collected({ uploads: [upload] }), { exclude: 'assets/*' }, root)).uploads).toEqual([])
  })
})

describe('the report about excluded files', () => {
  it('reports the number of excluded files', async () => {
    const { problems } = await wantedOf(collected(), { exclude: 'assets/**' }, root)
    expect(problems).toMatchObject([
      { code: 'files-excluded', severity: 'info', message: 'The include and exclude patterns excluded 2 files.' },
    ])
    expect((await wantedOf(collected(), { exclude: 'nothing' }, root)).problems).toEqual([])
  })

  it('reports an error if no file is left', async () => {
    const { uploads, problems } = await wantedOf(collected(), { include: 'lib/**' }, root)
    expect(uploads).toEqual([])
    expect(problems).toMatchObject([{ code: 'files-excluded', severity: 'error', category: 'nothing-found' }])
  })

  it.each<[Globs, string[]]>([
    [{ exclude: 'dist/vendor/**' }, ['exclude "dist/vendor/**"', 'Write the glob as "vendor/**".']],
    [{ include: ['app.js', './dist/assets/**'] }, ['include "./dist/assets/**"', 'Write the glob as "assets/**".']],
    [{ exclude: 'dist\\vendor\\**' }, ['exclude "dist\\vendor\\**"', 'Write the glob as "vendor/**".']],
  ])(
    'explains that globs are relative to the output directory if a glob starts with it: %j',
    async (globs, [begin, fix]) => {
      const { problems } = await wantedOf(collected(), globs, root)
      expect(problems.filter(({ code }) => code === 'glob-misplaced')).toMatchObject([{ severity: 'warning', fix }])
      expect(problems[0]?.message).toBe(`${begin} starts with the output directory, but globs are relative to it.`)
    },
  )

  // Sentry's webpack plugin 1 accepts directories in `include` and `ignore`.
  it.each<[keyof Globs, string, string]>([
    ['include', './dist', '**'],
    ['include', '.', '**'],
    ['include', 'ROOT/dist', '**'],
    ['exclude', 'assets/', 'assets/**'],
  ])('explains that globs match files if %s is the directory %s', async (option, glob, right) => {
    const written = glob.replace('ROOT', root)
    const { problems } = await wantedOf(collected(), { [option]: [written] }, root)
    expect(problems.find(({ code }) => code === 'glob-misplaced')).toMatchObject({
      message: `${option} "${written}" is a directory, but globs must match files in the output directory.`,
      fix: `Write the glob as "${right}".`,
    })
  })

  it("reports nothing if the output directory contains a file with the glob's name", async () => {
    write('dist/dist')
    const { problems } = await wantedOf(collected(), { exclude: 'dist' }, root)
    expect(problems.filter(({ code }) => code === 'glob-misplaced')).toEqual([])
  })

  it('reports nothing if the output directory contains a directory with its own name, or is the project', async () => {
    write('dist/dist/a.js')
    expect((await wantedOf(collected(), { exclude: 'dist/*.mjs' }, root)).problems).toEqual([])
    write('lib/dist/a.js')
    rmSync(join(root, 'dist/dist'), { recursive: true })
    const two = collected({ directories: ['dist', 'lib'] })
    expect((await wantedOf(two, { exclude: 'dist/*.mjs' }, root)).problems).toEqual([])
    const whole = collected({ directories: ['.'] })
    expect((await wantedOf(whole, { exclude: 'dist/*.mjs' }, root)).problems).toEqual([])
  })

  it('does not list excluded files, whatever their kind calls them', async () => {
    write('dist/assets/a.js.map')
    const about = (file: string) => problem('no-map', 'It has none.', { file })
    const [kept, ...others] = [
      about('app.js'),
      about('assets/a.js'),
      about('assets/a.js.map'),
      about('dist/vendor/c.mjs'),
    ]
    const plan = await wantedOf(
      collected({ uploads: [script('app.js')], problems: [kept as never, ...others] }),
      { include: '*.js' },
      root,
    )
    expect(plan.problems.map(({ code, file }) => file ?? code)).toEqual(['dist/app.js', 'files-excluded'])
    expect(plan.problems.at(-1)?.message).toBe('The include and exclude patterns excluded 2 files.')
  })
  it('names files relative to the project, as reports and annotations do', async () => {
    const named = ['app.js', 'dist/app.js', 'gone.js', join(root, 'dist/app.js')]
    const problems = named.map((file) => problem('no-map', 'It has none.', { file }))
    const plan = await wantedOf(collected({ problems }), {}, root)
    expect(plan.problems.map(({ file }) => file)).toEqual(['dist/app.js', 'dist/app.js', 'gone.js', 'dist/app.js'])
  })
})
