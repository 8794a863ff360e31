import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceArguments } from '../support/build-fixture.ts'
import { useIntake } from '../support/intake.ts'
import { contributedDiff, copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

const OWN = 'packages/unplugin/src/bundlers'
let copy: WorkspaceCopy
const intake = useIntake()
let whatWasStale: string
beforeAll(() => {
  copy = copyWorkspace()
  copy.apply(contributedDiff('A new bundler'))
  whatWasStale = errorsOf(() => copy.run('scripts/docs.ts', ['--check']))
  copy.run('scripts/docs.ts')
}, 120_000)
afterAll(() => {
  copy.remove()
})

it('is one file and one line of the table', () => {
  const files = contributedDiff('A new bundler').match(/(?<=^\+\+\+ b\/).*$/gm)
  expect(files).toEqual([`${OWN}/index.ts`, `${OWN}/knot.ts`])
  const made = 'packages/unplugin/package.json'
  const byHand = copy.changes().filter(({ file }) => file !== made)
  expect(byHand).toEqual([{ file: `${OWN}/index.ts`, added: 1, removed: 0 }])
})

it('gets its entry file and its export, and is missed where they are not made', () => {
  expect(whatWasStale).toContain('packages/unplugin/src/knot.ts, packages/unplugin/package.json')
  expect(JSON.parse(copy.read('packages/unplugin/package.json')).exports['./knot']).toEqual({
    'symup-source': './src/knot.ts',
    import: { types: './dist/knot.d.ts', default: './dist/knot.js' },
    require: { types: './dist/knot.d.cts', default: './dist/knot.cjs' },
  })
  expect(copy.run('scripts/docs.ts', ['--check'])).toBe('')
})

it('uploads what its build wrote', async () => {
  mkdirSync(join(copy.root, 'dist'))
  writeFileSync(join(copy.root, 'dist/a.js'), 'console.log("hello")\n//# sourceMappingURL=a.js.map\n')
  const map = { version: 3, sources: ['a.ts'], sourcesContent: ['console.log("hello")'], names: [], mappings: 'AAAA' }
  writeFileSync(join(copy.root, 'dist/a.js.map'), JSON.stringify(map))
  await build({ service: 'knotted', version: '1', endpoint: intake.url, apiKey: 'dev-api-key' })
  const sent = { type: 'js_sourcemap', service: 'knotted', version: '1', minified_url: '/knot/a.js' }
  expect(await intake.uploads()).toMatchObject([{ event: sent }])
})

it('does nothing when it is turned off, and says that it has no debug ids', async () => {
  await build({ enabled: false })
  expect(await intake.uploads()).toHaveLength(1)
  expect(await build({ debugIds: true, dryRun: true, service: 'knotted', version: '1' })).toContain(
    'There are no debug ids with Knot.',
  )
})

/** Does what the bundler would. @returns what it printed. */
async function build(options: object): Promise<string> {
  const script = `import symup from '@symup/unplugin/knot'
const plugin = symup(${JSON.stringify(options)})
plugin.start?.({ root: process.cwd(), publicPath: '/knot/' })
await plugin.written?.(process.cwd() + '/dist', ['a.js', 'a.js.map'])
`
  writeFileSync(join(copy.root, 'build.ts'), script)
  const env = { PATH: process.env.PATH }
  const run = promisify(execFile)(process.execPath, [...sourceArguments(), 'build.ts'], { cwd: copy.root, env })
  const { stdout, stderr } = await run
  return stdout + stderr
}

/** What a run that fails printed as its errors. */
function errorsOf(run: () => string): string {
  try {
    run()
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error('It did not fail.')
}
