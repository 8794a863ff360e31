import type { Problem } from '@symup/core/internal'

const LEVEL = { error: 'error', warning: 'warning', info: 'notice' } as const
/** GitHub shows ten of a kind for a step; more only make the log long. */
const MAX_ANNOTATIONS = 10

/**
 * Problems as workflow commands, which GitHub Actions shows beside the run and, where they name a file, in the diff.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 * @returns nothing outside GitHub Actions.
 */
export function githubAnnotations(problems: readonly Problem[], env: NodeJS.ProcessEnv): string[] {
  if (env.GITHUB_ACTIONS !== 'true') return []
  return problems.slice(0, MAX_ANNOTATIONS).map(({ severity, code, file, message, fix }) => {
    const properties = [`title=symup ${property(code)}`, ...(file === undefined ? [] : [`file=${property(file)}`])]
    return `::${LEVEL[severity]} ${properties.join(',')}::${data(`${message} ${fix}`)}`
  })
}

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
