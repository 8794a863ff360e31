import { phrase, t, translated } from '@symup/core/internal'
import { CommanderError } from 'commander'

/**
 * Flags of theirs whose name here is said when they are given. Bugsnag's are those of `bugsnag-source-maps` 2.3 and `bugsnag-cli`, Faro's of
 * `faro-cli`, PostHog's of `posthog-cli`, Highlight's of `@highlight-run/sourcemap-uploader`.
 */
const RENAMED: Readonly<Record<string, string>> = {
  '--org': '--service',
  '-o': '--service',
  '--project': '--service',
  '-p': '--service',
  '--app-name': '--service',
  '--release-name': '--service',
  '--auth-token': '--api-key',
  '--access-token': '--api-key',
  '--apiKey': '--api-key',
  '-k': '--api-key',
  '--url': '--endpoint',
  '--host': '--endpoint',
  '--upload-api-root-url': '--endpoint',
  '--backendUrl': '--endpoint',
  '-r': '--release-version',
  '--version': '--release-version',
  '--app-version': '--release-version',
  '--appVersion': '--release-version',
  '--version-name': '--release-version',
  '--code-version': '--release-version',
  '--revision': '--release-version',
  '--code-bundle-id': '--release-version',
  '--bundle-id': '--release-version',
  '--version-code': '--build-version',
  '--bundle-version': '--build-version',
  '--uuid': '--build-id',
  '--build-uuid': '--build-id',
  '--map-id': '--build-id',
  '-u': '--minified-path-prefix',
  '--base-url': '--minified-path-prefix',
  '--base-path': '--minified-path-prefix',
  '--basePath': '--minified-path-prefix',
  '--bundle-url': '--minified-path-prefix',
  '--public-path-prefix': '--minified-path-prefix',
  '--source-map': '--sourcemap',
  '--bundle-sourcemap': '--sourcemap',
  '--ignore': '--exclude',
  '-i': '--exclude',
  '--silent': '--quiet',
  '--log-level': '--verbose',
  '--retries': '--attempts',
  '--no-upload': '--dry-run',
}

/** Flags of theirs that need no counterpart. */
const NEEDLESS: ReadonlySet<string> = new Set([
  '--validate',
  '--debug-id',
  '--debug-id-reference',
  '--no-sourcemap-reference',
  '--repository-url',
  '--commit-sha',
  '--rewrite',
  '--no-rewrite',
  '--ext',
  '-x',
  '--url-suffix',
  '--no-dedupe',
  '--use-artifact-bundle',
  '--finalize',
  '--wait',
  '--wait-for',
  '--no-zips',
  '--type',
  '--symbol-maps',
  '--no-unwind',
  '--no-debug',
  '--no-sources',
  '--ignore-empty-dsym',
  '--ignore-missing-dwarf',
  '--force-foreground',
  '--write-properties',
  '--android-ndk-root',
  '--application-id',
  '--applicationId',
  '--overwrite',
  '--no-overwrite',
  '--app-id',
  '--stack-id',
  '--gzip-payload',
  '--gzip-contents',
  '--keep-sourcemaps',
  '--max-upload-size',
  '--batch-size',
  '--recursive',
])

export const SOURCES = phrase`Leave it out: no sources are sent beside the symbols.`
const PATTERNS = phrase`Give its patterns to --exclude, which may be repeated.`
const SOURCE_NAMES = phrase`Leave it out: names of sources stay as the map has them.`
const APP_VERSION = phrase`Give --release-version and --version-code.`
const AUTO = phrase`\`--release-version auto\` takes it from the project.`

/** What to do in place of their other flags. */
const ADVICE: Readonly<Record<string, string>> = {
  '--strip-prefix': SOURCE_NAMES,
  '--strip-common-prefix': SOURCE_NAMES,
  '--project-root': SOURCE_NAMES,
  '--include-sources': SOURCES,
  '--ignore-file': PATTERNS,
  '-I': PATTERNS,
  '--detect-app-version': AUTO,
  '--pubspec': AUTO,
  '--android-manifest': APP_VERSION,
  '--app-manifest': APP_VERSION,
  '--fetch': phrase`Make the bundle and its map with \`react-native bundle\`, and give them.`,
}

/** Flags of theirs that send other files, and our commands that do. */
const COMMAND_OF_ITS_OWN: Readonly<Record<string, string>> = {
  '--ios-dsyms': 'ios upload',
  '--ios-dsyms-location': 'ios upload',
  '--android-mapping': 'android upload-mapping',
  '--android-mapping-location': 'android upload-mapping',
  '--web-sourcemaps': 'web upload',
  '--web-sourcemaps-location': 'web upload',
}

/** Flags of theirs that give the files, where one argument here gives the directory. */
const PLACES: ReadonlySet<string> = new Set([
  '--directory',
  '--output-path',
  '--path',
  '--symbols-location',
  '--dsym-path',
  '--bundle',
  '--bundle-sourcemap',
  '--source-map',
])

/** What to give in place of another uploader's flag. @param known the flags of the command. @param argument what its first argument is called. */
export function adviceOnFlag(flag: string, known: readonly string[], argument = ''): string | undefined {
  const version = '--release-version'
  if (NEEDLESS.has(flag)) return t`Leave out ${flag}: there is nothing to say here.`
  const ours = Object.hasOwn(RENAMED, flag) ? RENAMED[flag] : undefined
  if (ours !== undefined && known.includes(ours)) return t`Here it is ${ours}.`
  if (PLACES.has(flag) && /\b(?:dir|path)\b/.test(argument))
    return t`Leave out ${flag}: the directory is the argument of the command.`
  // What follows is of uploads only.
  if (!known.includes(version)) return undefined
  if (flag === '--dist' || flag === '-d') return t`Make it part of ${version}.`
  const command = Object.hasOwn(COMMAND_OF_ITS_OWN, flag) ? COMMAND_OF_ITS_OWN[flag] : undefined
  if (command !== undefined) return t`A command of its own does that: symup ${command}.`
  const advice = Object.hasOwn(ADVICE, flag) ? ADVICE[flag] : undefined
  return advice === undefined ? undefined : translated(advice)
}

/** Flags of theirs that stand before or between the words of a command, and have a value. */
const BETWEEN: ReadonlySet<string> = new Set([
  '--org',
  '-o',
  '--project',
  '-p',
  '--auth-token',
  '--api-key',
  '--url',
  '--header',
  '--log-level',
  '--host',
  '--dotenv-file',
  '--lang',
])

/** How many arguments the flag takes that stands here between words; none where it is no such flag. */
export function lengthOfFlag(arg = ''): number {
  if (/^--(?:quiet|no-color)$/.test(arg)) return 1
  const [name = '', ...value] = arg.split('=')
  return BETWEEN.has(name) ? (value.length > 0 ? 1 : 2) : 0
}

/** The arguments from the first word on, such as a command behind `--lang zh`. */
export function withoutFlags(args: readonly string[]): readonly string[] {
  const length = lengthOfFlag(args[0])
  return length > 0 ? withoutFlags(args.slice(length)) : args
}

/**
 * Refuses `--version 1.2.3` behind a command, where other uploaders take the release: Commander would print which symup this is, and succeed.
 * @throws CommanderError
 */
export function refuseVersionOfRelease(args: readonly string[]): void {
  const [first = '-'] = withoutFlags(args)
  if (!first.startsWith('-') && args.includes('--version'))
    throw new CommanderError(1, 'commander.unknownOption', "error: unknown option '--version'")
}
