import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, sourceArguments } from '../support/build-fixture.ts'
import { useIntake } from '../support/intake.ts'
import { contributedDiff, copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

/** Files that nobody writes by hand. `npm run docs` generates them. */
const MADE =
  /^(?:docs\/(?:problems|reference\/\w+)\.md|packages\/core\/(?:problems\.md|symup\.schema\.json|src\/settings\/plugin-options\.ts)|packages\/[^/]+\/README\.md|packages\/unplugin\/package\.json|packages\/(?:unplugin|mini-program|hvigor)\/src\/(?:options\.ts|index\.d\.cts)|packages\/android\/symup\.gradle)$/

const ADDED = ['Adding a setting', 'Adding a problem', 'A new bundler', 'A new framework']
const BUNDLERS = 'packages/unplugin/src/bundlers'
const FRAMEWORKS = 'packages/unplugin/src/frameworks'

let copy: WorkspaceCopy
const intake = useIntake()
let whatWasStale: string
beforeAll(() => {
  copy = copyWorkspace()
  for (const section of ADDED) copy.apply(contributedDiff(section))
  whatWasStale = errorsOf(() => copy.run('scripts/docs.ts', ['--check']))
  copy.run('scripts/docs.ts')
}, 240_000)
afterAll(() => copy.remove())

it('adds only a few lines per place with the diffs in docs/extending.md, and changes no existing line', () => {
  const byHand = copy.changes().filter(({ file }) => !MADE.test(file))
  expect(byHand).toMatchObject([
    { file: 'packages/core/src/problems/server.ts', removed: 0 },
    { file: 'packages/core/src/settings/definitions.ts', removed: 0 },
    { file: `${BUNDLERS}/index.ts`, added: 1, removed: 0 },
    { file: `${FRAMEWORKS}/index.ts`, added: 1, removed: 0 },
  ])
  expect(byHand[0]?.added).toBeLessThan(8)
  expect(byHand[1]?.added).toBeLessThan(12)
})

describe('a new setting', () => {
  it('adds a documented option to the plugins', () => {
    for (const file of ['core/src/settings/plugin-options.ts', 'hvigor/src/index.d.cts']) {
      expect(copy.read(`packages/${file}`), file).toMatch(
        /\* A word of your own for this release\.\n[^/]*\*\/\n *label\?: string\n/,
      )
    }
  })

  it('adds a field to Gradle, and passes it to the companion', () => {
    const script = copy.read('packages/android/symup.gradle')
    expect(script).toMatch(/\/\*\* A word of your own for this release\. \*\/\n {4}Object label\n/)
    expect(script).toMatch(/FIELD_OF = \[.*\blabel: 'label'/)
  })

  it('adds a row to the tables of all READMEs', () => {
    for (const name of ['unplugin', 'mini-program', 'hvigor', 'android']) {
      expect(copy.read(`packages/${name}/README.md`), name).toMatch(
        /^\| `label` +\| .*A word of your own for this release\./m,
      )
    }
    expect(copy.read('packages/cli/README.md')).toMatch(/^\| `--label <word>` +\| a word of your own for this release/m)
  })

  it('adds a flag to the command, a line to doctor, and a field to symup.json with its schema', () => {
    expect(copy.run('packages/cli/src/main.ts', ['help', 'flags'])).toContain('--label <word>')
    const schema = JSON.parse(copy.run('packages/cli/src/main.ts', ['schema', 'config']))
    expect(schema.properties.label).toEqual({
      description: 'A word of your own for this release.',
      type: 'string',
      minLength: 1,
    })
    writeFileSync(join(copy.root, 'symup.json'), JSON.stringify({ label: 'from-the-file' }))
    const env = { SYMUP_LABEL: 'from-the-environment' }
    const label = (...flags: string[]) => {
      const doctor = ['doctor', '--json', '--endpoint', 'http://127.0.0.1:1', ...flags]
      return JSON.parse(outputOf(() => copy.run('packages/cli/src/main.ts', doctor, env))).settings.label
    }
    const overrode = ['symup.json', 'SYMUP_LABEL']
    expect(label('--label', 'typed')).toEqual({ value: 'typed', from: '--label', overrode })
    expect(label()).toMatchObject({ value: 'from-the-file', from: 'symup.json' })
    expect(label('--no-config-file')).toMatchObject({ value: 'from-the-environment', from: 'SYMUP_LABEL' })
  }, 120_000)

  it('declares the right type in options and in resolved settings', () => {
    const probe = `import { resolveSettings } from '@symup/core'
import type { SymupOptions } from '../../unplugin/src/options.ts'
const options: SymupOptions = { label: 'spring' }
const resolution = resolveSettings({ options })
export const label: string | undefined = resolution.ok ? resolution.settings.label?.value : undefined
// @ts-expect-error: it is a text.
export const wrong: SymupOptions = { label: 3 }
// @ts-expect-error: there is no such setting.
export const other = resolution.ok ? resolution.settings.lable : undefined
`
    writeFileSync(join(copy.root, 'packages/cli/src/probe.ts'), probe)
    const project = join(copy.root, 'tsconfig.probe.json')
    const options = { noEmit: true, customConditions: ['symup-source'], rewriteRelativeImportExtensions: false }
    writeFileSync(
      project,
      JSON.stringify({
        extends: './tsconfig.base.json',
        compilerOptions: options,
        files: ['packages/cli/src/probe.ts'],
      }),
    )
    expect(outputOf(() => typeCheck(project))).toBe('')
  }, 120_000)
})

describe('a new problem', () => {
  it('defines a category, a section in the documentation, and an entry in the schema of every document', () => {
    const section = /## label-taken\n\n(.*)\n\n\*\*Fix:\*\* (.*)\n/.exec(copy.read('docs/problems.md'))
    expect(section?.slice(1)).toEqual([
      '*error, server.* The intake has another release with this label.',
      'Choose another label.',
    ])
    const schema = JSON.parse(copy.run('packages/cli/src/main.ts', ['schema', 'problem']))
    expect(schema.properties.code.enum).toContain('label-taken')
  })
})

describe('a new bundler', () => {
  it('needs one file and one line in the table', () => {
    const files = contributedDiff('A new bundler').match(/(?<=^\+\+\+ b\/).*$/gm)
    expect(files).toEqual([`${BUNDLERS}/index.ts`, `${BUNDLERS}/knot.ts`])
  })

  it('creates the entry file and export of a new bundler, and the check reports missing ones', () => {
    expect(whatWasStale).toContain('packages/unplugin/src/knot.ts, packages/unplugin/package.json')
    expect(JSON.parse(copy.read('packages/unplugin/package.json')).exports['./knot']).toEqual({
      'symup-source': './src/knot.ts',
      import: { types: './dist/knot.d.ts', default: './dist/knot.js' },
      require: { types: './dist/knot.d.cts', default: './dist/knot.cjs' },
    })
  })

  it('uploads the files from a build with the new bundler', async () => {
    mkdirSync(join(copy.root, 'dist'))
    writeFileSync(join(copy.root, 'dist/a.js'), 'console.log("hello")\n//# sourceMappingURL=a.js.map\n')
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['console.log("hello")'], names: [], mappings: 'AAAA' }
    writeFileSync(join(copy.root, 'dist/a.js.map'), JSON.stringify(map))
    await build({ service: 'knotted', version: '1', endpoint: intake.url, apiKey: 'dev-api-key' })
    const sent = { type: 'js_sourcemap', service: 'knotted', version: '1', minified_url: '/knot/a.js' }
    expect(await intake.uploads()).toMatchObject([{ event: sent }])
  })

  it('does nothing if the new plugin is turned off, and reports that debug ids are unavailable', async () => {
    await build({ enabled: false })
    expect(await intake.uploads()).toHaveLength(1)
    expect(await build({ debugIds: true, dryRun: true, service: 'knotted', version: '1' })).toContain(
      'Debug ids are not available with Knot.',
    )
  })
})

describe('a new framework', () => {
  it('needs one file and one line in the table', () => {
    const files = contributedDiff('A new framework').match(/(?<=^\+\+\+ b\/).*$/gm)
    expect(files).toEqual([`${FRAMEWORKS}/index.ts`, `${FRAMEWORKS}/lantern.ts`])
  })

  it('decides where browsers load the scripts of a new framework from', async () => {
    writeFileSync(join(copy.root, 'entry.js'), 'console.log(1)\n')
    const build = (name: string) =>
      runScript(`import { build } from 'vite'
import symup from '@symup/unplugin/vite'
const plugins = [{ name: '${name}' }, symup({ service: 'lit', version: '1', dryRun: true, git: false, logLevel: 'info' })]
await build({ configFile: false, logLevel: 'error', base: '/app/', plugins, build: { outDir: 'lit', rollupOptions: { input: 'entry.js' } } })
`)
    expect(await build('lantern:pages')).toContain('minifiedPathPrefix = /app/lantern/ ← Lantern')
    expect(await build('other')).toContain("minifiedPathPrefix = /app/ ← Vite's base")
  })
})

/** Simulates the bundler. @returns the output. */
function build(options: object): Promise<string> {
  return runScript(`import symup from '@symup/unplugin/knot'
const plugin = symup(${JSON.stringify(options)})
plugin.start?.({ root: process.cwd(), publicPath: '/knot/' })
await plugin.written?.(process.cwd() + '/dist', ['a.js', 'a.js.map'])
`)
}

/** @returns the output. */
async function runScript(script: string): Promise<string> {
  writeFileSync(join(copy.root, 'build.ts'), script)
  const env = { PATH: process.env.PATH }
  const run = promisify(execFile)(process.execPath, [...sourceArguments(), 'build.ts'], { cwd: copy.root, env })
  const { stdout, stderr } = await run
  return stdout + stderr
}

/** The errors that a failing run printed. */
function errorsOf(run: () => string): string {
  try {
    run()
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error('It did not fail.')
}

/** The standard output of a run, regardless of its exit code. */
function outputOf(run: () => string): string {
  try {
    return run()
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? ''
  }
}

function typeCheck(project: string): string {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  return execFileSync(process.execPath, [compiler, '-p', project], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
