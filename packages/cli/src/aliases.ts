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

/** Other uploaders' commands, and ours that do the same. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'sourcemaps upload': ['web upload'],
  'dsyms upload': ['ios upload'],
  'debug-files upload': ['ios upload', 'android upload-ndk', 'electron upload'],
  'elf-symbols upload': ['android upload-ndk'],
  'flutter-symbols upload': ['flutter upload'],
  'upload-proguard': ['android upload-mapping'],
  'sourcemaps explain': ['explain'],
  'debug-files check': ['check'],
}

/** Our commands for another uploader's, and the words behind it; undefined where we have none. */
export function counterpartOf(
  args: readonly string[],
): { names: readonly string[]; rest: readonly string[] } | undefined {
  const length = [2, 1].find((count) => Object.hasOwn(COMMANDS, args.slice(0, count).join(' ')))
  if (length === undefined) return undefined
  const names = COMMANDS[args.slice(0, length).join(' ')] as readonly string[]
  return { names: names.map((name) => `symup ${name}`), rest: args.slice(length) }
}

/** The arguments with other uploaders' flags under their names here. */
export function translateFlags(args: readonly string[]): string[] {
  const command = args.slice(0, 2).join(' ')
  if (!/ upload/.test(command)) return [...args]
  return args.flatMap((arg) => {
    const [flag = '', ...value] = arg.split('=')
    if (Object.hasOwn(FLAGS, flag)) return [FLAGS[flag] as string, ...(value.length > 0 ? [value.join('=')] : [])]
    if (Object.hasOwn(ARGUMENTS, flag) && ARGUMENTS[flag] === command) return value.length > 0 ? [value.join('=')] : []
    return [arg]
  })
}
