// Writes the documentation that has a source in the code: problem codes and options tables. `--check` fails when a file is out of
// date instead of writing it, and names the file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { furtherFlags, usualFlags } from '../packages/cli/src/flags.ts'
import { POLICIES, type PolicyPreset, TROUBLES } from '../packages/core/src/policy.ts'
import { PROBLEMS } from '../packages/core/src/problems.ts'
import { OPERATIONS, TEST_OPERATIONS } from '../packages/intake/src/operations/index.ts'
import { REASONS } from '../packages/symbolicate/src/reasons.ts'
import { mapsTable } from './maps-table.ts'
import { gradleOptionsTable, optionsTable, unaligned } from './options-table.ts'

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

function source(file: string): string {
  return readFileSync(join(root, 'packages', file), 'utf8')
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

/** Replaces what stands between two marks, such as `<!-- options -->` and `<!-- /options -->`. */
function withTable(readme: string, table: string, name: string): string {
  return readme.replace(
    new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
    (_, open, close) => `${open}${table}\n${close}`,
  )
}

function operationsTable(): string {
  const rows = [...OPERATIONS, ...TEST_OPERATIONS].map(({ path, title, permissions, authenticate, name }) => {
    const who = authenticate ? "the trigger's token" : (permissions?.join(' or ') ?? 'any app key')
    return `| \`${path}\` | ${title.en} | ${who} | \`${name}\` |`
  })
  return ['| `POST` | what it does | who may | in the audit log |', '|---|---|---|---|', ...rows].join('\n')
}

function flagsTable(): string {
  const rows = [...usualFlags(), ...furtherFlags()].map(
    ({ flags, description }) => `| \`${flags}\` | ${description.replaceAll('|', '\\|')} |`,
  )
  return ['| flag | meaning |', '|---|---|', ...rows].join('\n')
}

function policyTable(): string {
  const presets = Object.keys(POLICIES) as PolicyPreset[]
  const rows = TROUBLES.map((kind) => `| ${kind} | ${presets.map((preset) => POLICIES[preset][kind]).join(' | ')} |`)
  return [`| kind | ${presets.join(' | ')} |`, `|---|${presets.map(() => '---|').join('')}`, ...rows].join('\n')
}

put('docs/problems.md', problemsPage())
// The package ships what its problems point at.
put('packages/core/problems.md', problemsPage())

/** The tables of each package's README, by the name of their marks. */
const tables: Record<string, Record<string, string>> = {
  android: { options: gradleOptionsTable(source('android/symup.gradle'), ['SymupSettings', 'SymupExtension']) },
  cli: { policy: policyTable(), flags: flagsTable() },
  core: { options: optionsTable(source('core/src/upload/upload.ts'), 'UploadOptions') },
  hvigor: { options: optionsTable(source('hvigor/src/options.ts'), 'SymupOptions') },
  intake: { options: optionsTable(source('intake/src/index.ts'), 'IntakeOptions'), operations: operationsTable() },
  'mini-program': { options: optionsTable(source('mini-program/src/options.ts'), 'MiniProgramOptions') },
  symbolicate: { options: optionsTable(source('symbolicate/src/symbolicate.ts'), 'StackQuestion') },
  unplugin: { options: optionsTable(source('unplugin/src/options.ts'), 'SymupOptions'), maps: mapsTable() },
}
for (const [name, byMark] of Object.entries(tables)) {
  const readme = `packages/${name}/README.md`
  const marks = Object.entries(byMark)
  put(
    readme,
    marks.reduce((text, [mark, table]) => withTable(text, table, mark), read(join(root, readme))),
  )
}

if (stale.length > 0) {
  console.error(`Out of date, run npm run docs: ${stale.join(', ')}`)
  process.exitCode = 1
}
