import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import {
  connectionSettings,
  EXIT,
  isUsablePrefix,
  ledgerPath,
  type Platform,
  type Problem,
  problem,
  readLedger,
  resolveSettings,
  Secret,
  shownPath,
  unreadable,
} from '@symup/core'
import { lineAt, lineStartsOf } from '@symup/core/internal'
import { t, translated } from '@symup/core/text'
import { type ArtifactSource, type Explanation, localSymbolFiles, Unanswered } from '@symup/symbolicate'
import {
  type EventText,
  hasOnlyNativeFrames,
  parseEventText,
  parseStack,
  platformOf,
  recordedSource,
  symbolicateApart,
} from '@symup/symbolicate/internal'
import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser'
import { askIntake, type Question } from '../ask-intake.ts'
import { type Afterwards, explainFromDirectory, prefixFrom } from '../explain-directory.ts'
import { unexplained } from '../explain-failure.ts'
import { isDone, printExplanation } from '../explanation-text.ts'
import { type CommandFailure, printDocument } from '../failure.ts'

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

/**
 * Runs `symup explain`.
 * @returns 0 if all frames of the project are resolved, 1 if a frame is unresolved, 2 if the arguments are invalid, or 3 if the text does
 * not contain any frames.
 * @throws CommandFailure
 */
export async function explain(file: string, flags: ExplainFlags): Promise<number> {
  const cwd = resolve(flags.cwd ?? '.')
  const text = await readStack(file, cwd)
  const event = parseEventText(text)
  if (event.isBrokenJson && platformOf(event.stack) === 'browser' && parseStack(event.stack).length === 0)
    throw noFrames(file, event, text)
  const afterwards: Afterwards = []
  const explanation = await answer({ event, file }, flags, cwd, afterwards).catch(refuse)
  if (explanation.frames.length === 0) throw noFrames(file, event, text)
  if (flags.json) printDocument(explanation)
  else printExplanation(explanation, errorOf(event.stack, explanation))
  for (const look of afterwards) await look()
  return explanation.frames.every(isDone) ? EXIT.ok : EXIT.incomplete
}

/** @throws CommandFailure if a limit was exceeded. Otherwise, throws the original error. */
export function refuse(error: unknown): never {
  if (!(error instanceof Unanswered)) throw error
  throw unexplained([problem('stack-too-expensive', translated(error.message))], EXIT.incomplete)
}

function noFrames(file: string, { isBrokenJson }: EventText, text: string): CommandFailure {
  const name = file === '-' ? t`The input` : file
  if (!isBrokenJson)
    return unexplained([problem('no-frame-found', t`${name} contains no stack frames.`)], EXIT.nothingFound)
  const { line, column, what } = firstFlaw(text)
  const message = t`${name} is not valid JSON (line ${line}, column ${column}): ${what}.`
  return unexplained([problem('event-invalid', message)], EXIT.nothingFound)
}

/**
 * Finds the position of a JSON syntax error. Node's own message is not used: it may quote the text, and only some versions of Node include
 * the position.
 */
function firstFlaw(text: string): { line: number; column: number; what: string } {
  const errors: ParseError[] = []
  parseJson(text.replace(/^\uFEFF/, ' '), errors)
  const { offset, error } = errors[0] ?? { offset: 0, error: 1 }
  const line = lineAt(offset, lineStartsOf(text))
  const column = offset - (lineStartsOf(text)[line] as number) + 1
  const what = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return { line: line + 1, column, what: offset >= text.trimEnd().length ? t`unexpected end of input` : what }
}

/** The maximum number of lines in an error message. Longer text before the frames is treated as a report, such as a tombstone. */
const MAX_ERROR_LINES = 5

function errorOf(stack: string, { frames: [first] }: Explanation): string {
  const lines = stack.split('\n')
  const at = lines.findIndex((line) => first !== undefined && line.includes(first.raw))
  const before = lines.slice(0, Math.max(at, 0)).filter((line) => line.trim() !== '')
  return before.length > MAX_ERROR_LINES ? '' : before.join('\n')
}

async function answer(
  { event, file }: { event: EventText; file: string },
  flags: ExplainFlags,
  cwd: string,
  afterwards: Afterwards,
): Promise<Explanation> {
  const { stack, debugIds, time: eventTime, images } = event
  const platform = flags.platform ?? platformOf(stack)
  // Only HarmonyOS apps have one map for all scripts. All other maps are found by the names of their scripts.
  const isApart = flags.platform === undefined ? platform === 'miniprogram' : platform !== 'harmony'
  const dir = flags.dir ?? (isApart ? flags.sourceMaps : undefined)
  const local = await localSource({ ...flags, sourceMaps: isApart ? undefined : flags.sourceMaps }, cwd)
  if (local) return symbolicateApart({ stack, service: '', version: '', platform: local.platform }, local.source)
  const directory = dir === undefined ? undefined : resolve(cwd, dir)
  if (directory !== undefined && !existsSync(directory)) {
    const file = shownPath(directory, cwd)
    const found = problem('directory-unreadable', t`The file or directory does not exist.`, { file })
    throw unexplained([found])
  }
  const resolution = resolveSettings({
    options: {
      // The event takes precedence over the project's files because it is more accurate. The command line overrides both.
      service: flags.service ?? event.service,
      version: flags.releaseVersion ?? event.version,
      minifiedPathPrefix: flags.minifiedPathPrefix,
    },
    cwd,
    ignoreConfigFile: !flags.configFile,
    adapter: 'cli',
    dryRun: true,
    // Files in a directory are used regardless of their release. Native libraries are found by id.
    needsRelease: directory === undefined && platform !== 'ios' && !hasOnlyNativeFrames(stack),
    needsPrefix: directory !== undefined,
    inferredPrefix: directory === undefined ? undefined : await prefixFrom(stack, directory),
  })
  const { endpoint } = resolution.ok ? resolution.settings : resolution.found
  const address = flags.intake ?? (endpoint?.from.kind === 'default' ? undefined : endpoint?.value)
  const appKey = flags.appKey ?? process.env.SYMUP_APP_KEY
  const lacks = directory === undefined && flags.ledger === undefined ? whatAskingLacks(address, appKey) : []
  // If the location of the symbol files is unknown, do not also report a missing release, because local build files do not require one.
  const isUnlocated = lacks.some(({ code }) => code === 'symbols-unlocated')
  const wrong = (resolution.ok ? [] : resolution.problems).filter(({ code }) => !(isUnlocated && RELEASE.has(code)))
  if (!resolution.ok || lacks.length > 0) throw unexplained([...lacks, ...wrong])
  const { settings } = resolution
  const { near, appid, variant, buildId } = flags
  const question: Question = {
    ...{ stack, platform, debugIds, eventTime, images, near, appid, variant, buildId },
    service: settings.service.value,
    version: settings.version.value,
  }
  if (directory !== undefined && flags.ledger === undefined)
    return explainFromDirectory(directory, settings.minifiedPathPrefix?.value ?? '/', question, afterwards, {
      ledger: ledgerPath(settings.cacheDirectory.value),
      stackFile: file,
      version: flags.releaseVersion ?? event.version,
    })
  if (flags.ledger !== undefined) return symbolicateApart(question, await ledgerSource(flags.ledger, cwd))
  const connection = connectionSettings(settings)
  return askIntake(question, { url: address ?? '', appKey: new Secret(appKey ?? ''), connection })
}

const RELEASE: ReadonlySet<string> = new Set(['service-missing', 'version-missing'])

async function readStack(file: string, cwd: string): Promise<string> {
  if (file === '-') {
    if (process.stdin.isTTY) process.stderr.write(t`Paste the stack, then press Ctrl-D.\n`)
    return readAll(process.stdin)
  }
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw notRead(file, error)
  }
}

function notRead(file: string, error: unknown): CommandFailure {
  const fix = t`Check that the file exists and that you have permission to read it.`
  return unexplained([unreadable('file-unreadable', error, { file, fix })])
}

/** Local files are assumed to belong to the stack, so no release is needed. */
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
    const { path = mapping ?? sourceMaps ?? '' } = error as NodeJS.ErrnoException
    throw notRead(shownPath(path, cwd), error)
  }
  return undefined
}

/** Uses the ledger as an artifact source. The ledger lists uploaded files but does not contain their content. */
async function ledgerSource(path: string, cwd: string): Promise<ArtifactSource> {
  try {
    const records = await readLedger(resolve(cwd, path))
    const unavailableFix = t`Pass the URL of the intake with --intake <url>, or the build directory with --dir <dir>.`
    return recordedSource(
      records.map(({ at, ...record }) => ({ ...record, uploadedAt: Date.parse(at), unavailableFix })),
    )
  } catch (error) {
    throw notRead(path, error)
  }
}

function whatAskingLacks(address: string | undefined, appKey: string | undefined): Problem[] {
  if (address === undefined)
    return [problem('symbols-unlocated', t`The command does not specify the location of the symbol files.`)]
  const isAddress = /^https?:/.test(address) && isUsablePrefix(address)
  return [
    ...(isAddress ? [] : [problem('endpoint-invalid', t`--intake ${address} is not an HTTP or HTTPS URL.`)]),
    ...(appKey === undefined || appKey === '' ? [problem('app-key-missing', t`No app key is set.`)] : []),
  ]
}
