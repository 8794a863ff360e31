import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { contributedDiff, copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

/** What no one writes: `npm run docs` makes it. */
const MADE =
  /^(?:docs\/(?:problems|reference\/\w+)\.md|packages\/core\/(?:problems\.md|symup\.schema\.json)|packages\/[^/]+\/README\.md|packages\/(?:unplugin|mini-program|hvigor)\/src\/(?:options\.ts|index\.d\.cts)|packages\/android\/symup\.gradle)$/

let copy: WorkspaceCopy
beforeAll(() => {
  copy = copyWorkspace()
}, 120_000)
afterAll(() => copy.remove())

describe('a new setting, as CONTRIBUTING.md adds it', () => {
  beforeAll(() => {
    copy.apply(contributedDiff('Adding a setting'))
    copy.run('scripts/docs.ts')
  }, 120_000)
  afterAll(() => copy.commit())

  it('is one entry: no line that was there is touched, and no other file is written by hand', () => {
    const byHand = copy.changes().filter(({ file }) => !MADE.test(file))
    expect(byHand).toMatchObject([{ file: 'packages/core/src/settings/definitions.ts', removed: 0 }])
    expect(byHand[0]?.added).toBeLessThan(12)
  })

  it('is an option of the plugins, with its documentation', () => {
    for (const file of [
      'unplugin/src/options.ts',
      'mini-program/src/options.ts',
      'hvigor/src/options.ts',
      'hvigor/src/index.d.cts',
    ]) {
      expect(copy.read(`packages/${file}`), file).toMatch(
        /\* A word of your own for this release\.\n[^/]*\*\/\n *label\?: string\n/,
      )
    }
  })

  it('is a field in Gradle, which the companion is asked with', () => {
    const script = copy.read('packages/android/symup.gradle')
    expect(script).toMatch(/\/\*\* A word of your own for this release\. \*\/\n {4}Object label\n/)
    expect(script).toMatch(/FIELD_OF = \[.*\blabel: 'label'/)
  })

  it('has a row in the tables of all READMEs', () => {
    for (const name of ['unplugin', 'mini-program', 'hvigor', 'android']) {
      expect(copy.read(`packages/${name}/README.md`), name).toMatch(
        /^\| `label` +\| .*A word of your own for this release\./m,
      )
    }
    expect(copy.read('packages/cli/README.md')).toMatch(/^\| `--label <word>` +\| a word of your own for this release/m)
  })

  it('is a flag of the command, a line of doctor, and a field of symup.json with its schema', () => {
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

  it('is typed where it is given and where it is used', () => {
    const probe = `import { resolveSettings } from '@symup/core/internal'
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

describe('a new problem, as CONTRIBUTING.md adds it', () => {
  beforeAll(() => {
    copy.apply(contributedDiff('Adding a problem'))
    copy.run('scripts/docs.ts')
  }, 120_000)

  it('is one entry in one file', () => {
    const byHand = copy.changes().filter(({ file }) => !MADE.test(file))
    expect(byHand).toMatchObject([{ file: 'packages/core/src/problems/server.ts', removed: 0 }])
    expect(byHand[0]?.added).toBeLessThan(8)
  })

  it('has its category, its page and its place in the schema of every document', () => {
    const section = /## label-taken\n\n(.*)\n\n\*\*Fix:\*\* (.*)\n/.exec(copy.read('docs/problems.md'))
    expect(section?.slice(1)).toEqual([
      '*error, server.* The intake has another release with this label.',
      'Choose another label.',
    ])
    const schema = JSON.parse(copy.run('packages/cli/src/main.ts', ['schema', 'problem']))
    expect(schema.properties.code.enum).toContain('label-taken')
  })
})

/** What a run printed on standard output, whatever its exit code. */
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
