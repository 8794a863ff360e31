import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { collectJavaScript, EXIT, isUsablePrefix, renderProblems, resolveSettings, type Settings } from '@symup/core'
import { artifactSourceOf, type Explanation, type ResolvedFrame, symbolicate } from '@symup/symbolicate'
import { askIntake, IntakeError } from '../ask-intake.ts'
import { paint, printLines } from '../terminal.ts'

export interface ExplainFlags {
  service?: string
  releaseVersion?: string
  intake?: string
  appKey?: string
  dir?: string
  minifiedPathPrefix?: string
  miniProgram?: boolean
  appid?: string
  near: number
  cwd?: string
  configFile: boolean
  json?: boolean
}

/** What makes the command itself unusable, in one sentence with its fix. */
class UsageError extends Error {}

/**
 * `symup explain`: 0 when every frame of the project resolves, 1 when one does not, 2 when the question cannot be asked, 3 when there
 * is no frame in the text.
 */
export async function explain(file: string, flags: ExplainFlags): Promise<number> {
  let explanation: Explanation
  try {
    explanation = await answer(file, flags)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof IntakeError)) throw error
    printLines([{ severity: 'error', text: `${error.message}.` }], process.stderr)
    return EXIT.unusable
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(explanation, null, 2)}\n`)
  else printExplanation(explanation)
  if (explanation.frames.length === 0) {
    printLines([{ severity: 'error', text: 'No stack frame was found in the text.' }], process.stderr)
    return EXIT.nothingFound
  }
  return explanation.frames.every(isSettled) ? EXIT.ok : EXIT.incomplete
}

async function answer(file: string, flags: ExplainFlags): Promise<Explanation> {
  const cwd = resolve(flags.cwd ?? '.')
  const resolution = resolveSettings({
    options: { service: flags.service, version: flags.releaseVersion, minifiedPathPrefix: flags.minifiedPathPrefix },
    cwd,
    ignoreConfigFile: !flags.configFile,
    naming: 'flag',
    dryRun: true,
    needsPrefix: flags.dir !== undefined && flags.miniProgram !== true,
  })
  if (!resolution.ok) {
    printLines(renderProblems(resolution.problems), process.stderr)
    throw new UsageError('The stack cannot be looked up: the configuration is unusable')
  }
  const { settings } = resolution
  const question = {
    service: settings.service.value,
    version: settings.version.value,
    near: flags.near,
    stack: await readStack(file, cwd),
    ...(flags.miniProgram && { platform: 'miniprogram' as const }),
    ...(flags.appid !== undefined && { appid: flags.appid }),
  }
  if (flags.miniProgram && flags.dir !== undefined) {
    const { explainMiniProgram } = await import('../explain-mini-program.ts')
    return explainMiniProgram(resolve(cwd, flags.dir), question)
  }
  if (flags.dir !== undefined) return explainFromDirectory(resolve(cwd, flags.dir), settings, question)
  return askIntake({ ...question, intake: intakeOf(flags, settings), appKey: appKeyOf(flags) })
}

async function readStack(file: string, cwd: string): Promise<string> {
  if (file === '-') return readAll(process.stdin)
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

async function explainFromDirectory(
  directory: string,
  settings: Settings,
  question: { service: string; version: string; near: number; stack: string },
): Promise<Explanation> {
  const plan = await collectJavaScript({
    directory,
    service: question.service,
    version: question.version,
    minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '/',
    toolVersion: '',
  })
  const errors = plan.problems.filter(({ severity }) => severity === 'error')
  printLines(renderProblems(errors), process.stderr)
  return symbolicate(question, artifactSourceOf(plan.uploads))
}

function intakeOf(flags: ExplainFlags, { endpoint }: Settings): string {
  const address = flags.intake ?? (endpoint.from.kind === 'default' ? undefined : endpoint.value)
  if (address === undefined) {
    throw new UsageError('Say where the symbol files are: --intake <url>, or --dir <directory of the build>')
  }
  if (!/^https?:/.test(address) || !isUsablePrefix(address))
    throw new UsageError(`--intake ${address} is not an http or https URL`)
  return address
}

function appKeyOf(flags: ExplainFlags): string {
  const key = flags.appKey ?? process.env.SYMUP_APP_KEY
  if (key === undefined || key === '') throw new UsageError('No app key is set: set SYMUP_APP_KEY, or pass --app-key')
  return key
}

/** Frames of the browser or of Node are nobody's to resolve. */
function isSettled({ resolved, reason }: ResolvedFrame): boolean {
  return resolved !== null || reason?.code === 'not-a-project-frame'
}

function printExplanation({ frames }: Explanation): void {
  const output = process.stdout
  for (const { raw, resolved, reason, note } of frames) {
    output.write(`${paint('dim', raw, output)}\n`)
    if (resolved) {
      const column = resolved.column === undefined ? '' : `:${resolved.column}`
      const place = `${resolved.file}:${resolved.line}${column}`
      output.write(`  → ${paint('green', `${resolved.function ?? '<anonymous>'}  ${place}`, output)}\n`)
      if (note !== undefined) output.write(`    ${paint('dim', printable(note), output)}\n`)
      const width = String(resolved.snippet?.at(-1)?.line ?? '').length
      for (const { line, code } of resolved.snippet ?? []) {
        const marker = line === resolved.line ? '>' : ' '
        output.write(`    ${marker} ${String(line).padStart(width)} | ${printable(code)}\n`)
      }
    } else if (reason) {
      output.write(`  ${paint('yellow', `${reason.code}: ${printable(reason.message)}`, output)}\n`)
      if (reason.fix !== '') output.write(`  fix: ${printable(reason.fix)}\n`)
    }
  }
}

/** Source lines come from uploaded files: they may be long, and their control characters must not steer the terminal. */
function printable(text: string): string {
  const clean = text.replace(/\t/g, '  ').replace(/\p{Cc}/gu, '·')
  return clean.length > 160 ? `${clean.slice(0, 159)}…` : clean
}
