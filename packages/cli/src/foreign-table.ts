import { phrase } from '@symup/core/text'

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

/** Advice for other uploaders' commands that have no equivalent in symup. */
export const COMMAND_ADVICE = byTheirs(
  [
    phrase`Remove this command. symup sends the release version with each upload.`,
    'releases, release, deploys, create-build',
  ],
  [
    phrase`Remove this command. \`--release-version auto\` reads the version from the project.`,
    'releases propose-version',
  ],
  [
    phrase`Run symup web upload, and pass the directory that contains all scripts and source maps.`,
    'releases files * upload, publish-sourcemap',
  ],
  [
    phrase`To make the bundler plugin write debug ids, set \`debugIds: true\`.`,
    'inject-bundle-id, react-native inject-debug-id',
  ],
  [
    phrase`Use the Gradle and Xcode scripts from @symup/react-native. The README of the package describes them.`,
    'react-native xcode, react-native gradle',
  ],
  [
    phrase`Remove this command. Names in stacks are resolved with the symbol files, but names in error messages stay obfuscated.`,
    'dart-symbol-map upload',
  ],
  [
    phrase`Remove this command. symup does not upload source bundles.`,
    'debug-files bundle-sources, debug-files bundle-jvm',
  ],
  [phrase`Set SYMUP_API_KEY, and check the key with symup doctor.`, 'login'],
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

/** Flags of other uploaders that symup does not need. */
export const NEEDLESS: ReadonlySet<string> = new Set(
  listed(`--validate, --debug-id, --debug-id-reference, --no-sourcemap-reference, --repository-url, --commit-sha, --rewrite,
    --no-rewrite, --ext, -x, --url-suffix, --no-dedupe, --use-artifact-bundle, --finalize, --wait, --wait-for, --no-zips,
    --type, --symbol-maps, --no-unwind, --no-debug, --no-sources, --ignore-empty-dsym, --ignore-missing-dwarf,
    --force-foreground, --write-properties, --android-ndk-root, --application-id, --applicationId, --overwrite,
    --no-overwrite, --app-id, --stack-id, --gzip-payload, --gzip-contents, --keep-sourcemaps, --max-upload-size,
    --batch-size, --recursive`),
)

/** Advice for other uploaders' flags that have no equivalent in symup. */
export const FLAG_ADVICE = byTheirs(
  [
    phrase`Remove this flag. symup does not change source names in source maps.`,
    '--strip-prefix, --strip-common-prefix, --project-root',
  ],
  [phrase`Remove this flag. symup does not upload source bundles.`, '--include-sources'],
  [phrase`Pass each pattern with a separate --exclude flag.`, '--ignore-file, -I'],
  [phrase`Pass \`--release-version auto\` to read the version from the project.`, '--detect-app-version, --pubspec'],
  [phrase`Pass --release-version and --version-code.`, '--android-manifest, --app-manifest'],
  [phrase`Create the bundle and its map with \`react-native bundle\`, and pass both files.`, '--fetch'],
)

/** Flags of other uploaders that select a kind of file. symup has a separate command for each kind. */
export const COMMANDS_OF_FLAGS = byTheirs(
  ['ios upload', '--ios-dsyms, --ios-dsyms-location'],
  ['android upload-mapping', '--android-mapping, --android-mapping-location'],
  ['web upload', '--web-sourcemaps, --web-sourcemaps-location'],
)

/** Flags of other uploaders that specify a path, which symup expects as an argument. */
export const PLACES: ReadonlySet<string> = new Set(
  listed(
    `--directory, --output-path, --path, --symbols-location, --dsym-path, --bundle, --bundle-sourcemap, --source-map`,
  ),
)

/** Flags that take a value and may occur before or between the words of a command. */
export const BETWEEN: ReadonlySet<string> = new Set(
  listed(
    '--org, -o, --project, -p, --auth-token, --api-key, --url, --header, --log-level, --host, --dotenv-file, --lang',
  ),
)
