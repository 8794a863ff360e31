import { phrase, translated } from '@symup/core/internal'
import { lengthOfFlag, SOURCES, withoutFlags } from './aliases-flags.ts'

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

/** Other uploaders' commands, and ours that do the same. `*` is any word. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'sourcemaps upload': ['web upload'],
  'sourcemap upload': ['web upload'],
  'sourcemap process': ['web upload'],
  'upload-sourcemaps': ['web upload'],
  'upload-source-maps': ['web upload'],
  'releases files * upload-sourcemaps': ['web upload'],
  'upload-browser': ['web upload'],
  'upload-node': ['web upload'],
  'upload js': ['web upload'],
  'dsyms upload': ['ios upload'],
  'dsym upload': ['ios upload'],
  'upload-dsym': ['ios upload'],
  'upload dsym': ['ios upload'],
  'upload xcode-archive': ['ios upload'],
  'upload xcode-build': ['ios upload'],
  'debug-files upload': ['ios upload', 'android upload-ndk', 'electron upload'],
  'dif upload': ['ios upload', 'android upload-ndk', 'electron upload'],
  'upload-dif': ['ios upload', 'android upload-ndk', 'electron upload'],
  'elf-symbols upload': ['android upload-ndk'],
  'unity-symbols upload': ['ios upload', 'android upload-ndk', 'android upload-mapping'],
  'upload unity-ios': ['ios upload'],
  'upload unity-android': ['android upload-ndk'],
  'upload android-aab': ['android upload-mapping', 'android upload-ndk'],
  'crashlytics:symbols:upload': ['android upload-ndk', 'flutter upload'],
  'crashlytics:mappingfile:upload': ['android upload-mapping'],
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
  'upload react-native-sourcemaps': ['react-native upload'],
  'react-native codepush': ['react-native upload'],
  'react-native appcenter': ['react-native upload'],
  'hermes upload': ['react-native upload'],
  'sourcemaps explain': ['explain'],
  'debug-files check': ['check'],
  'dif check': ['check'],
}

const RELEASE = phrase`Leave it out: the upload says which release it is for.`
const DEBUG_IDS = phrase`The bundler plugins write debug ids: option \`debugIds: true\`.`
const REACT_NATIVE = phrase`@symup/react-native has what Gradle and Xcode run: see its README.`
const DART_NAMES = phrase`Leave it out: stacks have their names from the symbols. Names in the message of an error stay obfuscated.`
const DIRECTORY = phrase`symup web upload takes the directory with all its scripts and maps.`

/** Other uploaders' commands that no command here does. */
const ADVICE: Readonly<Record<string, string>> = {
  releases: RELEASE,
  release: RELEASE,
  deploys: RELEASE,
  'create-build': RELEASE,
  'releases propose-version': phrase`Leave it out: \`--release-version auto\` takes it from the project.`,
  'releases files * upload': DIRECTORY,
  'publish-sourcemap': DIRECTORY,
  'sourcemaps inject': DEBUG_IDS,
  'sourcemap inject': DEBUG_IDS,
  'inject-bundle-id': DEBUG_IDS,
  'react-native inject-debug-id': DEBUG_IDS,
  'react-native xcode': REACT_NATIVE,
  'react-native gradle': REACT_NATIVE,
  'dart-symbol-map upload': DART_NAMES,
  'debug-files bundle-sources': SOURCES,
  'debug-files bundle-jvm': SOURCES,
  login: phrase`Set SYMUP_API_KEY; symup doctor tries it.`,
}

interface Found<Entry> {
  entry: Entry
  /** The words that were found, without the flags between them, whose values may be keys. */
  words: readonly string[]
  /** What stands behind them, and then the flags between them. */
  rest: readonly string[]
}

/** The entry for the words that the arguments begin with, the longest first. */
function lookUp<Entry>(table: Readonly<Record<string, Entry>>, args: readonly string[]): Found<Entry> | undefined {
  return Object.entries(table)
    .flatMap(([name, entry]) => {
      const found = wordsIn(args, name.split(' '))
      return found ? [{ entry, ...found }] : []
    })
    .sort((a, b) => b.words.length - a.words.length)[0]
}

/** The words at the start of the arguments, with flags before and between them. */
function wordsIn(args: readonly string[], words: readonly string[]): Omit<Found<unknown>, 'entry'> | undefined {
  const found: string[] = []
  const flags: string[] = []
  let at = 0
  for (const word of words) {
    for (let length = lengthOfFlag(args[at]); length > 0; length = lengthOfFlag(args[at])) {
      flags.push(...args.slice(at, at + length))
      at += length
    }
    const arg = args[at]
    if (arg === undefined || (word !== arg && word !== '*')) return undefined
    found.push(arg)
    at++
  }
  return { words: found, rest: [...args.slice(at), ...flags] }
}

/** Our commands for another uploader's; undefined where we have none. */
export function counterpartOf(args: readonly string[]): Found<readonly string[]> | undefined {
  const found = lookUp(COMMANDS, args)
  return found && { ...found, entry: found.entry.map((name) => `symup ${name}`) }
}

/** What to do in place of another uploader's command, where it is no command of ours. */
export function adviceOnCommand(args: readonly string[]): Found<string> | undefined {
  const found = lookUp(ADVICE, args)
  return found && { ...found, entry: translated(found.entry) }
}

/** The arguments with other uploaders' flags under their names here. */
export function translateFlags(args: readonly string[]): string[] {
  const command = withoutFlags(args).slice(0, 2).join(' ')
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
