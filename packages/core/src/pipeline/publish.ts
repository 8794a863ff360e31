import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { makeDirectory } from '../files/make-directory.ts'
import type { Line } from '../model/line.ts'
import { printable } from '../model/printable.ts'
import { PROBLEMS, type Problem } from '../problems/problems.ts'
import { t } from '../text.ts'

const LEVEL = { error: 'error', warning: 'warning', info: 'notice' } as const
/** GitHub shows only ten annotations of each type per step. More annotations would only make the log longer. */
const MAX_ANNOTATIONS = 10
const FILES_NAMED = 3

export interface PublishInput {
  cwd: string
  toolVersion: string
  /**
   * The file for the problems, relative to `cwd`. `*.sarif` selects SARIF, and any other name selects GitLab's Code Quality report.
   * Default: `SYMUP_OUTPUT`, otherwise none.
   */
  output?: string | undefined
  /** @default process.env */
  env?: NodeJS.ProcessEnv
  /** Prints a line unchanged, because CI systems parse it. */
  print(line: string): void
  warn(line: Line): void
}

/** Publishes problems for CI systems: as annotations in GitHub Actions, and in a file for GitLab or a code scanner. */
export function publishProblems(problems: readonly Problem[], input: PublishInput): void {
  const { cwd, env = process.env, toolVersion, print, warn } = input
  for (const line of githubAnnotations(problems, env, cwd)) print(line)
  const output = input.output ?? (env.SYMUP_OUTPUT || undefined)
  if (output === undefined) return
  try {
    writeProblems(resolve(cwd, output), problems, { toolVersion, cwd, env })
  } catch (error) {
    warn({ severity: 'warning', text: t`Could not write ${output} (${(error as NodeJS.ErrnoException).code}).` })
  }
}

/**
 * Formats problems as workflow commands. GitHub Actions shows them next to the run and, for files, in the diff. The same problem in several
 * files becomes one annotation.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 * @returns an empty list outside GitHub Actions.
 */
function githubAnnotations(problems: readonly Problem[], env: NodeJS.ProcessEnv, cwd: string): string[] {
  if (env.GITHUB_ACTIONS !== 'true') return []
  const groups = new Map<string, Problem[]>()
  for (const one of problems) {
    const key = `${one.code}\n${one.severity}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].slice(0, MAX_ANNOTATIONS).map((group) => {
    const [{ severity, code, file, message, fix }] = group as [Problem]
    const place =
      group.length === 1 && file !== undefined ? fileInRepository(file, cwd, env.GITHUB_WORKSPACE) : undefined
    const properties = [`title=symup ${property(code)}`, ...(place === undefined ? [] : [`file=${property(place)}`])]
    const text =
      group.length === 1
        ? withFix(message, fix)
        : t`${group.every((it) => it.message === message) ? namesOf(group) : exampleOf(group)}: ${withFix(message, fix)}`
    return `::${LEVEL[severity]} ${properties.join(',')}::${data(text)}`
  })
}

/** Adds the fix to a message. A message from an intake may lack the final full stop. */
function withFix(message: string, fix: string): string {
  if (fix === '') return message
  return /[.!?…。！？]$/.test(message) ? t`${message} ${fix}` : t`${message}. ${fix}`
}

/**
 * Converts a path to a path relative to the repository, as required by CI systems. The project may be in a subdirectory of the repository.
 */
export function fileInRepository(file: string, cwd: string, root: string | undefined): string {
  if (!root) return file
  const place = relative(root, resolve(cwd, file))
  return place.startsWith('..') ? file : place.replaceAll('\\', '/')
}

function namesOf(group: readonly Problem[]): string {
  const files = group.flatMap(({ file }) => file ?? [])
  const more = group.length - Math.min(files.length, FILES_NAMED)
  const named = files.slice(0, FILES_NAMED).join(', ')
  return named === '' ? t`${group.length} times` : more === 0 ? named : t`${named} and ${more} more`
}

/** If the messages for several files differ, only the first message is shown as an example. */
function exampleOf(group: readonly Problem[]): string {
  const [{ file }] = group as [Problem]
  return file === undefined ? t`${group.length} times, first` : t`${group.length} times, first ${file}`
}

const data = (text: string) => printable(text).replaceAll('%', '%25')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/**
 * Writes problems to a file for other tools: `*.sarif` as SARIF 2.1.0 (GitHub code scanning, editors), and any other name as GitLab's Code
 * Quality report. An empty list is also written, because it shows that no problems were found.
 * @throws NodeJS.ErrnoException if the file cannot be written.
 */
function writeProblems(
  path: string,
  problems: readonly Problem[],
  { toolVersion, cwd, env }: { toolVersion: string; cwd: string; env: NodeJS.ProcessEnv },
): void {
  const root = env.CI_PROJECT_DIR ?? env.GITHUB_WORKSPACE
  const placed = problems.map((one) =>
    one.file === undefined ? one : { ...one, file: fileInRepository(one.file, cwd, root) },
  )
  const document = path.endsWith('.sarif') ? sarif(placed, toolVersion) : codeQuality(placed)
  makeDirectory(dirname(path))
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`)
}

const SARIF_LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const

/** @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
function sarif(problems: readonly Problem[], version: string) {
  const rules = new Map(problems.map(({ code, docs }) => [code, docs]))
  const codes = [...rules.keys()]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'symup',
            semanticVersion: version,
            rules: [...rules].map(([id, helpUri]) => ({
              id,
              shortDescription: { text: PROBLEMS[id].cause },
              help: { text: PROBLEMS[id].fix },
              helpUri,
              properties: { tags: [PROBLEMS[id].category] },
              defaultConfiguration: { level: SARIF_LEVEL[PROBLEMS[id].severity] },
            })),
          },
        },
        results: problems.map(({ code, severity, file, message, fix }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: SARIF_LEVEL[severity],
          message: { text: withFix(message, fix) },
          ...(file !== undefined && {
            locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) } } }],
          }),
        })),
      },
    ],
  }
}

const GITLAB_SEVERITY = { error: 'major', warning: 'minor', info: 'info' } as const

/** @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
function codeQuality(problems: readonly Problem[]) {
  return problems.map(({ code, severity, file, message, fix }) => ({
    description: withFix(message, fix),
    check_name: code,
    fingerprint: createHash('sha256').update(`${code}\n${file}\n${message}`).digest('hex'),
    severity: GITLAB_SEVERITY[severity],
    // GitLab's format requires a location, so problems without a file refer to the config file.
    location: { path: file ?? 'symup.json', lines: { begin: 1 } },
  }))
}
