// Generates documentation from code, such as problem codes and option tables. With `--check`, prints the names of outdated files and fails
// if there are any.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { flagsShown } from '../packages/cli/src/flags.ts'
import { GATE } from '../packages/core/src/pipeline/gate.ts'
import { POLICIES, type PolicyPreset } from '../packages/core/src/pipeline/policy.ts'
import { CATEGORIES, PROBLEMS } from '../packages/core/src/problems/problems.ts'
import { configSchema } from '../packages/core/src/settings/config-schema.ts'
import type { PluginAdapter } from '../packages/core/src/settings/definition.ts'
import { OPERATIONS } from '../packages/intake/src/rooms.ts'
import { REASONS } from '../packages/symbolicate/src/reasons.ts'
import { CELLS, COLUMNS as ENDINGS } from '../test/contract/endings-table.ts'
import { COLUMNS, SITUATIONS } from '../test/contract/gate-table.ts'
import { type Shown, terminalRuns } from '../test/docs/terminal-runs.ts'
import { frameworksTable, templatesList } from '../test/frameworks/frameworks-table.ts'
import { bundlerEntries, withBundlerExports } from './bundler-files.ts'
import { kindsTable } from './kinds-table.ts'
import { mapsTable } from './maps-table.ts'
import { gradleFields, gradleSettings, membersOf, namesIn, sharedNames } from './option-sources.ts'
import { optionsTable, settingsTable, unaligned } from './options-table.ts'
import { commandsPage, jsonPage } from './reference-pages.ts'

const root = resolve(import.meta.dirname, '..')
const check = process.argv.includes('--check')
/** The names of outdated files, exported for a test. */
export const stale: string[] = []

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

/** Escapes placeholders such as `<dir>`, which Markdown would treat as HTML elements. */
const prose = (text: string) => text.replaceAll('<', '&lt;')

function indexOfCodes(): string {
  const byLetter = new Map<string, string[]>()
  for (const code of [...Object.keys(PROBLEMS), ...Object.keys(REASONS)].sort()) {
    const letter = code.charAt(0).toUpperCase()
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), `[${code}](#${code})`])
  }
  return [...byLetter].map(([letter, links]) => `- **${letter}**: ${links.join(', ')}`).join('\n')
}

function terminalOf(shown: Shown | undefined): string {
  return shown === undefined ? '' : `\n\`\`\`console\n$ ${shown.command}\n${shown.output}\n\`\`\`\n`
}

function problemsPage(runs: ReadonlyMap<string, Shown>): string {
  const problems = Object.entries(PROBLEMS).map(([code, { severity, category, cause, fix }]) => {
    return `## ${code}\n\n*${severity}, ${category}.* ${prose(cause)}\n${terminalOf(runs.get(code))}${fix && `\n**Fix:** ${prose(fix)}\n`}`
  })
  const reasons = Object.entries(REASONS).map(([code, { cause, fix }]) => {
    return `## ${code}\n\n${prose(cause)}\n${fix && `\n**Fix:** ${prose(fix)}\n`}`
  })
  return [
    '# Problem codes\n',
    'Every problem that symup reports has one of the codes on this page. Codes are stable across versions. Each entry starts with the severity and the category of the problem. `--policy` uses the category to decide whether a problem fails a run. This page is generated from the code (`npm run docs`).\n',
    'For frequent problems, the entry includes an example of the terminal output.\n',
    `${indexOfCodes()}\n`,
    ...problems,
    '# Reasons why a frame stays unresolved\n',
    ...reasons,
  ].join('\n')
}

/** Replaces the text between two markers, such as `<!-- options -->` and `<!-- /options -->`. */
function withTable(readme: string, table: string, name: string): string {
  return readme.replace(
    new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
    (_, open, close) => `${open}${table}\n${close}`,
  )
}

function operationsTable(): string {
  const rows = OPERATIONS.map(({ path, title, permissions, authenticate, name }) => {
    const who = authenticate ? "the trigger's token" : (permissions?.join(' or ') ?? 'any app key')
    return `| \`${path}\` | ${title.en} | ${who} | \`${name}\` |`
  })
  return ['| `POST` | what it does | who may | in the audit log |', '|---|---|---|---|', ...rows].join('\n')
}

function flagsTable(): string {
  const rows = [...flagsShown('usual'), ...flagsShown('further'), ...flagsShown('rare')].map(
    ({ flags, description }) => `| \`${flags}\` | ${description.replaceAll('|', '\\|')} |`,
  )
  return ['| flag | meaning |', '|---|---|', ...rows].join('\n')
}

function policyTable(): string {
  const presets = Object.keys(POLICIES) as PolicyPreset[]
  const rows = CATEGORIES.map(
    (category) => `| ${category} | ${presets.map((preset) => POLICIES[preset][category]).join(' | ')} |`,
  )
  return [`| category | ${presets.join(' | ')} |`, `|---|${presets.map(() => '---|').join('')}`, ...rows].join('\n')
}

function gateTable(): string {
  const rows = GATE.map(
    ({ codes, error, warning = 'never' }) =>
      `| ${codes.map((code) => `[\`${code}\`](problems.md#${code})`).join(', ')} | ${error} | ${warning} |`,
  )
  return ['| code | error | warning |', '|---|---|---|', ...rows].join('\n')
}

function exitCodesTable(): string {
  const rows = SITUATIONS.map(({ name, exitCodes }) => `| ${name} | ${exitCodes.join(' | ')} |`)
  const columns = COLUMNS.map((column) => ` \`${column}\` |`).join('')
  return [`| build |${columns}`, `|---|${COLUMNS.map(() => '---|').join('')}`, ...rows].join('\n')
}

function endingsTable(): string {
  const rows = Object.entries(CELLS).map(([name, cells]) => {
    const shown = cells.map((cell) => cell.replace(' (no warning)', '').replace(' ', ', '))
    return `| ${name} | ${shown.join(' | ')} |`
  })
  return [`| failure | ${ENDINGS.join(' | ')} |`, `|---|${ENDINGS.map(() => '---|').join('')}`, ...rows].join('\n')
}

const GENERATED = '// Generated from packages/core/src/settings/definitions.ts by npm run docs\n\n'

function optionsSource(adapter: PluginAdapter, name: string, head: string): string {
  const own = namesIn(adapter).filter((option) => !sharedNames().includes(option))
  return `${GENERATED}${head}export interface ${name} extends PluginOptions {\n${membersOf(adapter, own)}\n}\n`
}

/** Escapes the Chinese strings in the Gradle script, because build tools may read the script in any encoding. */
function gradleTexts(): string {
  const literal = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replace(/[^ -~]/g, escaped)}'`
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const texts: Record<string, string> = JSON.parse(source('core/zh/gradle.json'))
  const entries = Object.entries(texts).map(([key, text]) => `        ${literal(key)}: ${literal(text)},\n`)
  return `    static final Map<String, String> CHINESE = [\n${entries.join('')}    ]\n`
}

function withBlock(text: string, name: string, block: string): string {
  return text.replace(
    new RegExp(`(// <${name}> .*\\n)[\\s\\S]*?( *// </${name}>)`),
    (_, open, close) => `${open}${block}${close}`,
  )
}

const HVIGOR_OBJECT = `  /** The \`hvigor\` object of \`@ohos/hvigor\`. Required for options on the command line, such as \`-p symup.service=shop\`. */
  hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
`

const MODULE = `/**
 * The options of the plugins.
 *
 * @module @symup/unplugin
 */

import type { PluginOptions, Verdict } from '@symup/core'

export type { OnError, Verdict } from '@symup/core'

/** The output that contains a script. */
export interface FileOutput {
  /** Relative to the project, \`/\`-separated. */
  directory: string
  /** The bundler's name for the module format, such as \`es\`. */
  format?: string
}

`
const TYPES = "import type { PluginOptions } from '@symup/core'\n\nexport type { OnError } from '@symup/core'\n\n"
put(
  'packages/core/src/settings/plugin-options.ts',
  `${GENERATED}/** The options that the bundler plugins and the mini-program plugins share. */\nexport interface PluginOptions {\n${membersOf('bundler', sharedNames())}\n}\n`,
)
put('packages/unplugin/src/options.ts', optionsSource('bundler', 'SymupOptions', MODULE))
put('packages/mini-program/src/options.ts', optionsSource('mini-program', 'MiniProgramOptions', TYPES))
const declarations = 'packages/hvigor/src/index.d.cts'
put(
  declarations,
  withBlock(
    read(join(root, declarations)),
    'options',
    `${membersOf('hvigor', namesIn('hvigor'), '    ')}\n${HVIGOR_OBJECT.replace(/^ {2}/gm, '    ')}`,
  ),
)
const gradle = 'packages/android/symup.gradle'
put(
  gradle,
  [
    ['settings', gradleFields('variant')],
    ['names', gradleSettings()],
    ['application', gradleFields('application')],
    ['chinese', gradleTexts()],
  ].reduce((text, [name, block]) => withBlock(text, name as string, block as string), read(join(root, gradle))),
)
for (const [file, text] of Object.entries(bundlerEntries())) put(`packages/unplugin/src/${file}`, text)
put('packages/unplugin/package.json', withBundlerExports(source('unplugin/package.json')))
put('packages/core/symup.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`)

const problems = problemsPage(await terminalRuns())
put('docs/problems.md', problems)
put('docs/reference/commands.md', commandsPage())
put('docs/reference/json.md', jsonPage())
// Problem messages link to this page, so the package contains a copy of it.
put('packages/core/problems.md', problems)

/** The most common options, for package READMEs that link to the full table. */
const USUAL = settingsTable('bundler', [
  'service',
  'version',
  'minifiedPathPrefix',
  'dryRun',
  'onError',
  'deleteAfterUpload',
  'server',
])

/** Tables in the README of each package, keyed by marker name. */
const tables: Record<string, Record<string, string>> = {
  angular: { options: USUAL },
  android: { options: settingsTable('gradle', namesIn('gradle')) },
  cli: { policy: policyTable(), flags: flagsTable() },
  core: { options: optionsTable(source('core/src/pipeline/upload.ts'), 'UploadOptions') },
  hvigor: { options: settingsTable('hvigor', namesIn('hvigor')) },
  intake: { options: optionsTable(source('intake/src/index.ts'), 'IntakeOptions') },
  'mini-program': { options: settingsTable('mini-program', namesIn('mini-program')) },
  'parcel-reporter': { options: USUAL },
  'react-native': { options: USUAL },
  symbolicate: { options: optionsTable(source('symbolicate/src/question.ts'), 'StackQuestion') },
  unplugin: { options: settingsTable('bundler', namesIn('bundler')), maps: mapsTable() },
}
for (const [name, byMark] of Object.entries(tables)) {
  const readme = `packages/${name}/README.md`
  const marks = Object.entries(byMark)
  put(
    readme,
    marks.reduce((text, [mark, table]) => withTable(text, table, mark), read(join(root, readme))),
  )
}
const frameworks = withTable(read(join(root, 'docs/evidence/frameworks.md')), frameworksTable(), 'frameworks')
put('docs/evidence/frameworks.md', withTable(frameworks, templatesList(), 'templates'))
put('docs/evidence/endings.md', withTable(read(join(root, 'docs/evidence/endings.md')), endingsTable(), 'endings'))
const gate = withTable(read(join(root, 'docs/gate.md')), gateTable(), 'gate')
put('docs/gate.md', withTable(gate, exitCodesTable(), 'exit-codes'))
const intake = withTable(read(join(root, 'docs/intake.md')), operationsTable(), 'operations')
put('docs/intake.md', withTable(intake, kindsTable(), 'kinds'))

if (stale.length > 0) {
  console.error(`Out of date, run npm run docs: ${stale.join(', ')}`)
  process.exitCode = 1
}
