import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/build-fixture.ts'
import { useDirectory } from '../support/directory.ts'
import { installAll, packAll, runIn } from './pack.ts'

/** Runs the tests on the page with the current releases of Playwright and Jest. */
const RUNNERS = ['jest@30', '@playwright/test@1']

const place = useDirectory()
beforeAll(async () => {
  const tarballs = await packAll(join(place, 'tarballs'))
  installAll(place, [...tarballs, ...RUNNERS, '--ignore-scripts'])
}, 420_000)

const run = (command: string, args: string[]) => runIn(place, command, args)

/** Writes the code blocks on the page that are marked with this word. */
function write(file: string, of: string): void {
  const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
  const [, code] = new RegExp(`\`\`\`\\w+ ${of}\\n([\\s\\S]*?)\\n\`\`\``).exec(page) ?? []
  if (code === undefined) throw new Error(`the page has no example for ${of}`)
  writeFileSync(join(place, file), code)
}

it("runs the page's test for Playwright, and its types match", () => {
  write('upload.spec.ts', 'playwright')
  expect(run('npx', ['playwright', 'test', 'upload.spec.ts', '--reporter=line'])).toMatch(/1 passed/)
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--skipLibCheck']
  const compiler = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', ...types]
  expect(run(join(ROOT, 'node_modules/.bin/tsc'), [...compiler, 'upload.spec.ts'])).toBe('')
}, 180_000)

it("runs the page's test for Jest", () => {
  write('upload.test.js', 'jest')
  const jest = ['node_modules/jest/bin/jest.js', '--rootDir', '.', 'upload.test.js', '--json', '--testTimeout=60000']
  const counts = JSON.parse(run('node', ['--experimental-vm-modules', ...jest]))
  expect(counts).toMatchObject({ success: true, numPassedTests: 2 })
}, 180_000)
