import { isUsablePrefix } from '@symup/core'
import { t, translated } from '@symup/core/text'
import type { App } from './monorepo.ts'
import type { Project } from './project.ts'
import { serviceOf } from './project.ts'
import type { Setup, Tool } from './tool.ts'
import { TOOLS } from './tools.ts'

export interface Asked {
  tool: Tool
  service: string
  minifiedPathPrefix?: string
}

/**
 * Prompts for choices that `symup init` makes automatically if there is no terminal.
 * @returns undefined if the user cancelled.
 */
export async function ask(
  project: Project,
  found: readonly { tool: Tool; evidence: string }[],
  setUp: (tool: Tool) => Setup,
  given: { service?: string | undefined; minifiedPathPrefix?: string | undefined; tool?: Tool | undefined },
): Promise<Asked | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts')
  const others = TOOLS.filter((tool) => !found.some((it) => it.tool === tool))
  const choices = [...found, ...others.map((tool) => ({ tool, evidence: '' }))]
  const tool =
    given.tool ??
    (await select({
      message: t`Which build tool does the project use?`,
      options: choices.map(({ tool: value, evidence }) => ({ value, label: translated(value.name), hint: evidence })),
      maxItems: 8,
    }))
  if (isCancel(tool)) return undefined
  const service =
    given.service ??
    (await text({
      message: t`Service name, exactly as the running app reports it`,
      initialValue: serviceOf(project),
      validate: (value) => ((value ?? '').trim() === '' ? t`Enter a service name.` : undefined),
    }))
  if (isCancel(service)) return undefined
  const suggested = setUp(tool).minifiedPathPrefix
  if (suggested === undefined || given.minifiedPathPrefix !== undefined)
    return { tool, service, ...(given.minifiedPathPrefix && { minifiedPathPrefix: given.minifiedPathPrefix }) }
  const prefix = await text({
    message: t`URL or path where the output is deployed`,
    initialValue: suggested,
    validate: (value) =>
      isUsablePrefix(value ?? '')
        ? undefined
        : t`Enter a URL such as https://cdn.example.com/app, a path such as /app, or app:/// for an installed app.`,
  })
  return isCancel(prefix) ? undefined : { tool, service, minifiedPathPrefix: prefix }
}

/** @returns undefined if the user cancelled. */
export async function askApp(apps: readonly App[]): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts')
  const options = apps.map(({ directory, tool, evidence }) => ({
    value: directory,
    label: directory,
    hint: `${translated(tool.name)}, ${evidence}`,
  }))
  const app = await select({ message: t`Which app do you want to set up?`, options, maxItems: 8 })
  return isCancel(app) ? undefined : app
}

export async function confirmed(message: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message })
  return !isCancel(answer) && answer
}
