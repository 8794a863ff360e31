import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import {
  collectFlutter,
  collectJavaScript,
  collectReactNative,
  EXIT,
  isUsablePrefix,
  listFiles,
  type Platform,
  readLedger,
  renderProblems,
  resolveSettings,
  type Settings,
  type SymbolUpload,
} from '@symup/core/internal'
import {
  type ArtifactSource,
  artifactSourceOf,
  type Explanation,
  isDartStack,
  localSymbolFiles,
  parseEventText,
  platformOf,
  recordedSource,
  type StackQuestion,
  symbolicate,
} from '@symup/symbolicate'
import { askIntake, IntakeError } from '../ask-intake.ts'
import { isSettled, printExplanation } from '../explanation-text.ts'
import { printJson, printLines } from '../terminal.ts'

export interface ExplainFlags {
  service?: string
  releaseVersion?: string
  intake?: string
  appKey?: string
  dir?: string
  minifiedPathPrefix?: string
  platform?: Platform
  appid?: string
  variant?: string
  buildId?: string
  ledger?: string
  mapping?: string
  sourceMaps?: string
  nameCache?: string
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
  if (flags.json) printJson(explanation)
  else printExplanation(explanation)
  if (explanation.frames.length === 0) {
    printLines([{ severity: 'error', text: 'No stack frame was found in the text.' }], process.stderr)
    return EXIT.nothingFound
  }
  return explanation.frames.every(isSettled) ? EXIT.ok : EXIT.incomplete
}

async function answer(file: string, flags: ExplainFlags): Promise<Explanation> {
  const cwd = resolve(flags.cwd ?? '.')
  const event = parseEventText(await readStack(file, cwd))
  const { stack, debugIds, time: eventTime } = event
  const local = await localSource(flags, cwd)
  if (local) return symbolicate({ stack, service: '', version: '', ...local }, local.source)
  const platform = flags.platform ?? platformOf(stack)
  const resolution = resolveSettings({
    options: {
      // The event knows better than the project's files; what is said on the command line wins.
      service: flags.service ?? event.service,
      version: flags.releaseVersion ?? event.version,
      minifiedPathPrefix: flags.minifiedPathPrefix,
    },
    cwd,
    ignoreConfigFile: !flags.configFile,
    adapter: 'cli',
    dryRun: true,
    needsPrefix:
      flags.dir !== undefined && platform !== 'miniprogram' && !NAMES_BUNDLE.test(stack) && !isDartStack(stack),
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
    stack,
    platform,
    ...(debugIds && { debugIds }),
    ...(eventTime !== undefined && { eventTime }),
    ...(flags.appid !== undefined && { appid: flags.appid }),
    ...(flags.variant !== undefined && { variant: flags.variant }),
    ...(flags.buildId !== undefined && { buildId: flags.buildId }),
  }
  if (flags.dir !== undefined && platform === 'miniprogram') {
    const { explainMiniProgram } = await import('../explain-mini-program.ts')
    return explainMiniProgram(resolve(cwd, flags.dir), question)
  }
  if (flags.dir !== undefined && isDartStack(stack)) return explainDart(resolve(cwd, flags.dir), question)
  if (flags.ledger !== undefined) return symbolicate(question, await ledgerSource(resolve(cwd, flags.ledger)))
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

/** Files that need no release: the user says that they belong to the stack. */
async function localSource(
  { mapping, sourceMaps, nameCache }: ExplainFlags,
  cwd: string,
): Promise<{ platform: Platform; source: ArtifactSource } | undefined> {
  const at = (path: string) => resolve(cwd, path)
  try {
    if (mapping !== undefined) {
      const source = await localSymbolFiles('jvm_mapping_file', { jvm_mapping_file: at(mapping) })
      return { platform: 'android', source }
    }
    if (sourceMaps !== undefined) {
      const names: Record<string, string> = nameCache === undefined ? {} : { name_cache: at(nameCache) }
      return {
        platform: 'harmony',
        source: await localSymbolFiles('harmony_sourcemap', { source_map: at(sourceMaps), ...names }),
      }
    }
  } catch (error) {
    const { path, code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be read (${code})`)
  }
  return undefined
}

/** With the files that `flutter build --split-debug-info` wrote. */
async function explainDart(directory: string, question: StackQuestion): Promise<Explanation> {
  const plan = await collectFlutter({ path: directory, ...question, toolVersion: '' })
  printLines(renderProblems(plan.problems), process.stderr)
  return symbolicate(question, artifactSourceOf(plan.uploads))
}

async function explainFromDirectory(
  directory: string,
  settings: Settings,
  question: StackQuestion,
): Promise<Explanation> {
  const bundles = await reactNativeBundles(directory, question)
  const plan = await collectJavaScript({
    directory,
    service: question.service,
    version: question.version,
    minifiedPathPrefix: settings.minifiedPathPrefix?.value ?? '/',
    toolVersion: '',
  })
  const errors = plan.problems.filter(
    ({ severity, code }) => severity === 'error' && !(bundles.length > 0 && code === 'nothing-found'),
  )
  printLines(renderProblems(errors), process.stderr)
  return symbolicate(question, artifactSourceOf([...plan.uploads, ...bundles]))
}

/** Frames of React Native name the bundle, not an address that it is deployed at. */
const NAMES_BUNDLE = /\.(?:js)?bundle:\d/

async function reactNativeBundles(
  directory: string,
  { service, version, stack }: StackQuestion,
): Promise<SymbolUpload[]> {
  if (!NAMES_BUNDLE.test(stack)) return []
  const files = await listFiles(directory).catch(() => [])
  const plans = files
    .filter((file) => /\.(?:js)?bundle$/.test(file))
    .map((bundle) =>
      collectReactNative({
        bundle,
        platform: 'android',
        buildVersion: '',
        service,
        version,
        toolVersion: '',
        cwd: directory,
      }),
    )
  const collected = await Promise.all(plans)
  printLines(renderProblems(collected.flatMap(({ problems }) => problems)), process.stderr)
  return collected.flatMap(({ uploads }) => uploads)
}

/** What was sent is known from the ledger, though not its content. */
async function ledgerSource(path: string): Promise<ArtifactSource> {
  try {
    const records = await readLedger(path)
    const elsewhere = 'Ask the intake that has it (--intake), or give the directory of the build (--dir).'
    return recordedSource(records.map(({ at, ...record }) => ({ ...record, uploadedAt: Date.parse(at), elsewhere })))
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function intakeOf(flags: ExplainFlags, { endpoint }: Settings): string {
  const address = flags.intake ?? (endpoint.from.kind === 'default' ? undefined : endpoint.value)
  if (address === undefined) {
    throw new UsageError(
      'Say where the symbol files are: --intake <url>, --dir <directory of the build>, --mapping <mapping.txt>',
    )
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
