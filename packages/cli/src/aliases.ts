import { phrase, t, translated } from '@symup/core/internal'

/**
 * Other uploaders' flags, so that a script goes on working when only the command's name changes. Source: the --help of
 * `datadog-ci` 5.25 and `sentry-cli` 3.8; docs/migrating.md lists them.
 */
const FLAGS: Readonly<Record<string, string>> = {
  '--max-concurrency': '--concurrency',
  '--service-name': '--service',
  '--release': '--release-version',
  '--url-prefix': '--minified-path-prefix',
}

/** Flags whose value is the argument of our command. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  '--sourcemap-zip': 'mini-program upload',
  '--bundle': 'react-native upload',
  '--dart-symbols-location': 'flutter upload',
}

/** Further flags of theirs, whose name here is said when they are given; Bugsnag's are those of `bugsnag-source-maps` 2.3 and `bugsnag-cli`, Faro's of `faro-cli`. */
const RENAMED: Readonly<Record<string, string>> = {
  '--org': '--service',
  '-o': '--service',
  '--project': '--service',
  '-p': '--service',
  '--auth-token': '--api-key',
  '--url': '--endpoint',
  '--upload-api-root-url': '--endpoint',
  '-r': '--release-version',
  '--app-version': '--release-version',
  '--version-name': '--release-version',
  '--code-bundle-id': '--release-version',
  '--bundle-id': '--release-version',
  '-u': '--minified-path-prefix',
  '--base-url': '--minified-path-prefix',
  '--bundle-url': '--minified-path-prefix',
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
  '--wait',
  '--wait-for',
  '--overwrite',
  '--no-overwrite',
  '--app-id',
  '--stack-id',
])

/** What to give in place of another uploader's flag. @param known the flags of the command. @param argument what its first argument is called. */
export function adviceOnFlag(flag: string, known: readonly string[], argument = ''): string | undefined {
  const version = '--release-version'
  if (NEEDLESS.has(flag)) return t`Leave out ${flag}: there is nothing to say here.`
  if ((flag === '--directory' || flag === '--output-path') && /\b(?:dir|path)\b/.test(argument))
    return t`Leave out ${flag}: the directory is the argument of the command.`
  if ((flag === '--dist' || flag === '-d') && known.includes(version)) return t`Make it part of ${version}.`
  const ours = Object.hasOwn(RENAMED, flag) ? RENAMED[flag] : undefined
  return ours !== undefined && known.includes(ours) ? t`Here it is ${ours}.` : undefined
}

/** Other uploaders' commands, and ours that do the same. `*` is any word. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'sourcemaps upload': ['web upload'],
  'sourcemap upload': ['web upload'],
  'upload-sourcemaps': ['web upload'],
  'releases files * upload-sourcemaps': ['web upload'],
  'upload-browser': ['web upload'],
  'upload-node': ['web upload'],
  'upload js': ['web upload'],
  'dsyms upload': ['ios upload'],
  'upload-dsym': ['ios upload'],
  'upload dsym': ['ios upload'],
  'upload xcode-archive': ['ios upload'],
  'upload xcode-build': ['ios upload'],
  'debug-files upload': ['ios upload', 'android upload-ndk', 'electron upload'],
  'dif upload': ['ios upload', 'android upload-ndk', 'electron upload'],
  'upload-dif': ['ios upload', 'android upload-ndk', 'electron upload'],
  'elf-symbols upload': ['android upload-ndk'],
  'upload android-ndk': ['android upload-ndk'],
  'upload android-proguard': ['android upload-mapping'],
  'upload-proguard': ['android upload-mapping'],
  'proguard upload': ['android upload-mapping'],
  'flutter-symbols upload': ['flutter upload'],
  'upload dart': ['flutter upload'],
  'upload breakpad': ['electron upload'],
  'upload-react-native': ['react-native upload'],
  'upload react-native': ['react-native upload'],
  'upload react-native-android': ['react-native upload'],
  'upload react-native-ios': ['react-native upload'],
  'sourcemaps explain': ['explain'],
  'debug-files check': ['check'],
  'dif check': ['check'],
}

const RELEASE = phrase`Leave it out: the upload says which release it is for.`
const DEBUG_IDS = phrase`The bundler plugins write debug ids: option \`debugIds: true\`.`
const REACT_NATIVE = phrase`@symup/react-native has what Gradle and Xcode run: see its README.`

/** Other uploaders' commands that no command here does. */
const ADVICE: Readonly<Record<string, string>> = {
  'releases new': RELEASE,
  'releases finalize': RELEASE,
  'releases set-commits': RELEASE,
  'releases deploys': RELEASE,
  'release create': RELEASE,
  'release finalize': RELEASE,
  'release set-commits': RELEASE,
  'release deploy': RELEASE,
  'deploys new': RELEASE,
  'create-build': RELEASE,
  'sourcemaps inject': DEBUG_IDS,
  'sourcemap inject': DEBUG_IDS,
  'react-native inject-debug-id': DEBUG_IDS,
  'react-native xcode': REACT_NATIVE,
  'react-native gradle': REACT_NATIVE,
}

/** The entry for the words that the arguments begin with, the longest first, and the words behind it. */
function lookUp<Entry>(
  table: Readonly<Record<string, Entry>>,
  args: readonly string[],
): { entry: Entry; rest: readonly string[] } | undefined {
  const found = Object.entries(table)
    .map(([name, entry]) => ({ words: name.split(' '), entry }))
    .filter(({ words }) => words.every((word, index) => word === args[index] || (word === '*' && index < args.length)))
    .sort((a, b) => b.words.length - a.words.length)[0]
  return found && { entry: found.entry, rest: args.slice(found.words.length) }
}

/** Our commands for another uploader's, and the words behind it; undefined where we have none. */
export function counterpartOf(
  args: readonly string[],
): { names: readonly string[]; rest: readonly string[] } | undefined {
  const found = lookUp(COMMANDS, args)
  return found && { names: found.entry.map((name) => `symup ${name}`), rest: found.rest }
}

/** What to do in place of another uploader's command, where it is no command of ours. */
export function adviceOnCommand(args: readonly string[]): { advice: string; rest: readonly string[] } | undefined {
  const found = lookUp(ADVICE, args)
  return found && { advice: translated(found.entry), rest: found.rest }
}

/** The arguments with other uploaders' flags under their names here. */
export function translateFlags(args: readonly string[]): string[] {
  const command = args.slice(0, 2).join(' ')
  if (!/ upload/.test(command)) return [...args]
  return args.flatMap((arg, index) => {
    const [flag = '', ...value] = arg.split('=')
    if (args[index - 1] === '--url-prefix') return [withoutOrigin(arg)]
    if (flag === '--url-prefix' && value.length > 0) return [FLAGS[flag] as string, withoutOrigin(value.join('='))]
    if (Object.hasOwn(FLAGS, flag)) return [FLAGS[flag] as string, ...(value.length > 0 ? [value.join('=')] : [])]
    if (Object.hasOwn(ARGUMENTS, flag) && ARGUMENTS[flag] === command) return value.length > 0 ? [value.join('=')] : []
    return [arg]
  })
}

/** `~` is any origin for Sentry, which a path is here. */
const withoutOrigin = (prefix: string): string => prefix.replace(/^~\/?/, '/')
