// Writes the documentation that has a source in the code: problem codes and options tables. `--check` fails when a file is out of
// date instead of writing it, and names the file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PROBLEMS } from '../packages/core/src/problems.ts'
import { REASONS } from '../packages/symbolicate/src/reasons.ts'
import { optionsTable, unaligned } from './options-table.ts'

const root = resolve(import.meta.dirname, '..')
const check = process.argv.includes('--check')
const stale: string[] = []

function put(file: string, text: string): void {
  const path = join(root, file)
  if (unaligned(read(path)) === unaligned(text)) return
  if (check) stale.push(file)
  else writeFileSync(path, text)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function problemsPage(): string {
  const problems = Object.entries(PROBLEMS).map(
    ([code, { severity, cause, fix }]) => `## ${code}\n\n*${severity}.* ${cause}\n\n**Fix:** ${fix}\n`,
  )
  const reasons = Object.entries(REASONS).map(([code, { cause, fix }]) => `## ${code}\n\n${cause}\n\n**Fix:** ${fix}\n`)
  return [
    '# Problem codes\n',
    'Every failure that symup reports has one of these codes. The codes are stable. This page is made from the code: `npm run docs`.\n',
    ...problems,
    '# Reasons why a frame stays unresolved\n',
    ...reasons,
  ].join('\n')
}

/** Replaces what stands between `<!-- options -->` and `<!-- /options -->`. */
function withOptions(readme: string, table: string): string {
  return readme.replace(
    /(<!-- options -->\n)[\s\S]*?(<!-- \/options -->)/,
    (_, open, close) => `${open}${table}\n${close}`,
  )
}

put('packages/core/problems.md', problemsPage())
for (const [folder, interfaceName] of [
  ['unplugin', 'SymupOptions'],
  ['mini-program', 'MiniProgramOptions'],
]) {
  const readme = `packages/${folder}/README.md`
  const options = readFileSync(join(root, `packages/${folder}/src/options.ts`), 'utf8')
  put(readme, withOptions(read(join(root, readme)), optionsTable(options, interfaceName as string)))
}

if (stale.length > 0) {
  console.error(`Out of date, run npm run docs: ${stale.join(', ')}`)
  process.exitCode = 1
}
