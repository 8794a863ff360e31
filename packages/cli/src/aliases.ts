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
