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

/** Replaces what stands between `<!-- options -->` and `<!-- /options -->`, or marks of another name. */
function withTable(readme: string, table: string, name = 'options'): string {
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
const command = 'packages/cli/README.md'
put(command, withTable(withTable(read(join(root, command)), policyTable(), 'policy'), flagsTable(), 'flags'))
const core = 'packages/core/README.md'
const uploadOptions = readFileSync(join(root, 'packages/core/src/upload/upload.ts'), 'utf8')
put(core, withTable(read(join(root, core)), optionsTable(uploadOptions, 'UploadOptions')))
const symbolicate = 'packages/symbolicate/README.md'
const question = readFileSync(join(root, 'packages/symbolicate/src/symbolicate.ts'), 'utf8')
put(symbolicate, withTable(read(join(root, symbolicate)), optionsTable(question, 'StackQuestion')))
const unplugin = 'packages/unplugin/README.md'
const options = readFileSync(join(root, 'packages/unplugin/src/options.ts'), 'utf8')
const withItsOptions = withTable(read(join(root, unplugin)), optionsTable(options, 'SymupOptions'))
put(unplugin, withTable(withItsOptions, mapsTable(), 'maps'))

const miniProgram = 'packages/mini-program/README.md'
const miniProgramOptions = readFileSync(join(root, 'packages/mini-program/src/options.ts'), 'utf8')
put(miniProgram, withTable(read(join(root, miniProgram)), optionsTable(miniProgramOptions, 'MiniProgramOptions')))

const hvigor = 'packages/hvigor/README.md'
const hvigorOptions = readFileSync(join(root, 'packages/hvigor/src/options.ts'), 'utf8')
put(hvigor, withTable(read(join(root, hvigor)), optionsTable(hvigorOptions, 'SymupOptions')))

const android = 'packages/android/README.md'
const gradle = readFileSync(join(root, 'packages/android/symup.gradle'), 'utf8')
put(android, withTable(read(join(root, android)), gradleOptionsTable(gradle, ['SymupSettings', 'SymupExtension'])))

const intake = 'packages/intake/README.md'
const intakeOptions = optionsTable(readFileSync(join(root, 'packages/intake/src/index.ts'), 'utf8'), 'IntakeOptions')
put(intake, withTable(withTable(read(join(root, intake)), intakeOptions), operationsTable(), 'operations'))

if (stale.length > 0) {
  console.error(`Out of date, run npm run docs: ${stale.join(', ')}`)
  process.exitCode = 1
}
