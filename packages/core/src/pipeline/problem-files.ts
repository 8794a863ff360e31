import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../files/make-directory.ts'
import { PROBLEMS, type Problem } from '../problems/problems.ts'
import { type AnnotationContext, fileInRepository, withFix } from './annotations.ts'

/**
 * Writes problems to a file for other tools: `*.sarif` as SARIF 2.1.0 (GitHub code scanning, editors), any other name
 * as GitLab's Code Quality report. Writes an empty list, too, which shows that no problems were found. Creates missing
 * directories.
 * @throws NodeJS.ErrnoException if the file cannot be written.
 */
export function writeProblems(
  path: string,
  problems: readonly Problem[],
  { toolVersion, cwd, env }: AnnotationContext & { toolVersion: string },
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

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
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

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
function codeQuality(problems: readonly Problem[]) {
  return problems.map(({ code, severity, file, message, fix }) => ({
    description: withFix(message, fix),
    check_name: code,
    fingerprint: createHash('sha256').update(`${code}\n${file}\n${message}`).digest('hex'),
    severity: GITLAB_SEVERITY[severity],
    // The format requires a location. A problem without a file is about the configuration.
    location: { path: file ?? 'symup.json', lines: { begin: 1 } },
  }))
}
