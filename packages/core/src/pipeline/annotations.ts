import { relative, resolve } from 'node:path'
import { printable } from '../model/printable.ts'
import type { Problem } from '../problems/problems.ts'
import { t } from '../text.ts'

const LEVEL = { error: 'error', warning: 'warning', info: 'notice' } as const
/** GitHub shows ten annotations of a kind per step. More would only lengthen the log. */
const MAX_ANNOTATIONS = 10
const FILES_NAMED = 3

/** The environment of a run. */
export interface AnnotationContext {
  env: NodeJS.ProcessEnv
  /** Project directory, the base of file names in problems. */
  cwd: string
}

/**
 * Formats problems as workflow commands. GitHub Actions shows them next to the run and, for files, in the diff. The
 * same problem in several files becomes one annotation.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 * @returns an empty list outside GitHub Actions.
 */
export function githubAnnotations(problems: readonly Problem[], { env, cwd }: AnnotationContext): string[] {
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

/** An intake's message may lack the full stop. */
export function withFix(message: string, fix: string): string {
  if (fix === '') return message
  return /[.!?…。！？]$/.test(message) ? t`${message} ${fix}` : t`${message}. ${fix}`
}

/** CI systems need paths relative to the repository. The project may be a subdirectory. */
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

/** If messages differ between files, the first one represents them all. */
function exampleOf(group: readonly Problem[]): string {
  const [{ file }] = group as [Problem]
  return file === undefined ? t`${group.length} times, first` : t`${group.length} times, first ${file}`
}

const data = (text: string) => printable(text).replaceAll('%', '%25')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
