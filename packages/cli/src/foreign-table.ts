/**
 * Maps commands and flags of other uploaders to those of symup. `docs/migrating.md` contains the same list. Source: the `--help` of
 * `datadog-ci` 5.25, `sentry-cli` 3.8, `bugsnag-source-maps` 2.3, `bugsnag-cli`, `faro-cli`, `posthog-cli` and
 * `@highlight-run/sourcemap-uploader`.
 */

type Row = readonly [ours: string, theirs: string]

/** In each row, symup's name is followed by the names that other uploaders use, separated by commas. */
function byTheirs(...rows: Row[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([ours, theirs]) => listed(theirs).map((name) => [name, ours] as const)))
}

const listed = (names: string) => names.split(/,\s*/)

/** Flags of other uploaders that symup accepts, so that scripts continue to work after only the name of the command is replaced. */
export const ACCEPTED = byTheirs(
  ['--concurrency', '--max-concurrency'],
  ['--service', '--service-name'],
  ['--release-version', '--release'],
  ['--minified-path-prefix', '--url-prefix'],
)

/** Flags of other uploaders that correspond to arguments in symup. */
export const ARGUMENTS = byTheirs(
  ['mini-program upload', '--sourcemap-zip'],
  ['react-native upload', '--bundle'],
  ['flutter upload', '--dart-symbols-location'],
)

/** Commands of other uploaders. `*` matches any word. */
export const COMMANDS = byTheirs(
  [
    'web upload',
    `sourcemaps upload, sourcemap upload, sourcemap process, upload-sourcemaps, upload-source-maps,
    releases files * upload-sourcemaps, upload-browser, upload-node, upload js`,
  ],
  [
    'ios upload',
    'dsyms upload, dsym upload, upload-dsym, upload dsym, upload xcode-archive, upload xcode-build, upload unity-ios',
  ],
  ['ios upload, android upload-ndk, electron upload', 'debug-files upload, dif upload, upload-dif'],
  ['ios upload, android upload-ndk, android upload-mapping', 'unity-symbols upload'],
  ['android upload-ndk', 'elf-symbols upload, upload unity-android, upload android-ndk'],
  ['android upload-ndk, flutter upload', 'crashlytics:symbols:upload'],
  [
    'android upload-mapping',
    `crashlytics:mappingfile:upload, upload android-proguard, upload-proguard, proguard upload`,
  ],
  ['android upload-mapping, android upload-ndk', 'upload android-aab'],
  ['flutter upload', 'flutter-symbols upload, upload dart'],
  ['electron upload', 'upload breakpad'],
  [
    'react-native upload',
    `upload-react-native, upload react-native, upload react-native-android, upload react-native-ios,
    upload react-native-sourcemaps, react-native codepush, react-native appcenter, hermes upload`,
  ],
  ['explain', 'sourcemaps explain'],
  ['check', 'debug-files check, dif check'],
  ['web inject', 'sourcemaps inject, sourcemap inject'],
)

/** Flags of other uploaders that have a different name in symup. */
export const RENAMED = byTheirs(
  ['--service', '--org, -o, --project, -p, --app-name, --release-name'],
  ['--api-key', '--auth-token, --access-token, --apiKey, -k'],
  ['--endpoint', '--url, --host, --upload-api-root-url, --backendUrl'],
  [
    '--release-version',
    `-r, --version, --app-version, --appVersion, --version-name, --code-version, --revision,
    --code-bundle-id, --bundle-id`,
  ],
  ['--build-version', '--version-code, --bundle-version'],
  ['--build-id', '--uuid, --build-uuid, --map-id'],
  ['--minified-path-prefix', '-u, --base-url, --base-path, --basePath, --bundle-url, --public-path-prefix'],
  ['--sourcemap', '--source-map, --bundle-sourcemap'],
  ['--exclude', '--ignore, -i'],
  ['--quiet', '--silent'],
  ['--verbose', '--log-level'],
  ['--attempts', '--retries'],
  ['--dry-run', '--no-upload'],
)

/** Flags of other uploaders that specify a path, which symup expects as an argument. */
export const PLACES: ReadonlySet<string> = new Set(
  listed(
    `--directory, --output-path, --path, --symbols-location, --dsym-path, --bundle, --bundle-sourcemap, --source-map`,
  ),
)

/** Flags that take a value and may precede the words of a command. */
export const BEFORE: ReadonlySet<string> = new Set(
  listed(
    '--org, -o, --project, -p, --auth-token, --api-key, --url, --header, --log-level, --host, --dotenv-file, --lang',
  ),
)
