/**
 * Every expected trouble, listed once. A problem is data in a plan or a report, not an exception.
 * `cause` says when it comes up and is what the documentation prints; `fix` is what to do when the place that raises the
 * problem knows nothing better.
 */
export const PROBLEMS = {
  // Settings
  'api-key-missing': {
    severity: 'error',
    cause: 'No API key was given. Without one the intake refuses every upload.',
    fix: 'Set SYMUP_API_KEY in the environment of the build.',
  },
  'service-missing': {
    severity: 'error',
    cause: 'No service name was given. Stacks are matched to files by service, so it must equal what the app reports.',
    fix: 'Set the service to the name that the running app reports.',
  },
  'version-missing': {
    severity: 'error',
    cause:
      'No release version was given. Stacks are matched to files by version, so it must equal what the app reports.',
    fix: "Set the version to what the running app reports, or to 'auto' to infer it.",
  },
  'prefix-missing': {
    severity: 'error',
    cause:
      'No minified path prefix was given and none could be inferred, so the URL that browsers report is not known.',
    fix: 'Set the prefix to the URL, or absolute path, under which the output directory is deployed.',
  },
  'prefix-invalid': {
    severity: 'error',
    cause: 'The minified path prefix is neither a URL nor an absolute path.',
    fix: 'Use a URL such as https://cdn.example.com/app or a path that starts with a slash, such as /app.',
  },
  'value-invalid': {
    severity: 'error',
    cause: 'A setting has a value that cannot work: the wrong type, empty, or with control characters.',
    fix: 'Correct the value where it is set.',
  },
  'endpoint-invalid': {
    severity: 'error',
    cause:
      'The intake address is not a plain http or https URL: it has a query, a fragment, a user name, or is no URL.',
    fix: 'Use an address such as https://intake.example.com; /sourcemap/upload is appended.',
  },
  'site-unknown': {
    severity: 'error',
    cause: 'The site is not one of the known ones.',
    fix: 'Use CN or STAGING, or set an endpoint instead.',
  },
  'config-file-invalid': {
    severity: 'error',
    cause: 'The project config file cannot be read as a JSON object.',
    fix: 'Correct the file, or remove it.',
  },
  'config-field-unknown': {
    severity: 'warning',
    cause: 'The project config file has a field that symup does not know; it has no effect.',
    fix: 'Correct the spelling or remove the field.',
  },
  'environment-conflict': {
    severity: 'warning',
    cause: 'Two environment variables set the same value differently; one of them is ignored.',
    fix: 'Unset the one that is not meant.',
  },
  'inference-failed': {
    severity: 'error',
    cause: "A value was to be inferred ('auto'), but nothing to infer it from was found.",
    fix: 'Give the value itself.',
  },
  // Collecting
  'directory-unreadable': {
    severity: 'error',
    cause: 'The directory to upload does not exist, is not a directory, or cannot be read.',
    fix: 'Give the directory that the build writes to, and run after the build.',
  },
  'nothing-found': {
    severity: 'error',
    cause: 'No JavaScript file with a source map was found.',
    fix: 'Turn source maps on in the build, and give the directory that it writes to.',
  },
  'map-missing': {
    severity: 'error',
    cause: 'A JavaScript file names a source map (sourceMappingURL) that is not there.',
    fix: 'Upload before the maps are deleted or moved, or remove the comment.',
  },
  'no-map': {
    severity: 'warning',
    cause: 'A JavaScript file has no source map beside it and names none; stacks from it will stay minified.',
    fix: 'Turn source maps on for it, or leave it out of the upload if it is not yours.',
  },
  'map-invalid': {
    severity: 'error',
    cause: 'A source map is not the JSON of a source map: another file, an HTML error page, or cut short.',
    fix: 'Build again and check that nothing rewrites or truncates the map.',
  },
  'map-remote': {
    severity: 'warning',
    cause: 'A JavaScript file names a source map at another address; only maps on disk are uploaded.',
    fix: 'Write the map beside the file, or upload it where it is built.',
  },
  'map-inline': {
    severity: 'warning',
    cause:
      'A source map is inside the deployed JavaScript file, where everyone can read it. It is uploaded all the same.',
    fix: 'Use hidden source maps, so that the sources do not ship.',
  },
  'map-orphan': {
    severity: 'info',
    cause: 'A source map has no JavaScript file beside it that uses it; it is not uploaded.',
    fix: 'Nothing, unless the file should be there.',
  },
  'sourcemaps-off': {
    severity: 'warning',
    cause: 'The bundler is told not to make source maps, so there is nothing to upload.',
    fix: "Set the bundler's source map option to 'hidden'.",
  },
  'maps-linked': {
    severity: 'warning',
    cause: 'The bundler is told to name the source maps in what ships, so that everyone can read the sources.',
    fix: "Set the bundler's source map option to 'hidden'.",
  },
  'address-taken': {
    severity: 'warning',
    cause:
      'Two different output files have the same deployed address, such as those of a client and a server build; only the first is uploaded.',
    fix: 'Give the outputs different file names, or each build its own minified path prefix.',
  },
  'build-kind-unknown': {
    severity: 'warning',
    cause:
      'The bundler does not let the plugin see whether this is a release or a watching build, so nothing is uploaded.',
    fix: 'Put symup first in the list of plugins.',
  },
  'map-not-deleted': {
    severity: 'warning',
    cause: 'A source map was uploaded and should have been deleted then, but the file system refused.',
    fix: 'Delete it before deploying the output.',
  },
  'file-empty': {
    severity: 'error',
    cause: 'A file that should be uploaded is empty.',
    fix: 'Build again; an earlier step did not finish writing.',
  },
  'file-unreadable': {
    severity: 'error',
    cause: 'A file could not be read.',
    fix: 'Check that it still exists and that the build user may read it.',
  },
  'variant-missing': {
    severity: 'error',
    cause: 'It is not known which build variant the files belong to.',
    fix: 'Say it: --variant freeRelease.',
  },
  'variant-unknown': {
    severity: 'warning',
    cause: 'The build script has no variant of that name, as far as it can be read without running Gradle.',
    fix: 'Correct the name, or give --service, --release-version and --version-code yourself.',
  },
  'version-code-missing': {
    severity: 'error',
    cause: "The build's versionCode is not known.",
    fix: 'Give it: --version-code 42.',
  },
  'gradle-unreadable': {
    severity: 'warning',
    cause: 'The build script is not there or cannot be parsed, so nothing is taken from it.',
    fix: 'Give --service, --release-version, --version-code and --variant yourself, or use the Gradle tasks of @symup/android.',
  },
  'gradle-expression': {
    severity: 'warning',
    cause: 'A value in the build script is an expression; only a literal can be read without running Gradle.',
    fix: 'Give the value yourself (--service, --release-version, --version-code), or use the Gradle tasks of @symup/android.',
  },
  'no-native-libraries': {
    severity: 'error',
    cause: 'No native library (.so) was found where the build or the command said they are.',
    fix: 'Run after the native build, and give the directory that holds a directory for each ABI (arm64-v8a …).',
  },
  'version-differs': {
    severity: 'warning',
    cause:
      'The version of the upload is not the one that the built app reports, so its stacks will not find the files.',
    fix: "Leave the version out to take the app's own, or make both equal.",
  },
  'arkts-map-missing': {
    severity: 'error',
    cause: 'A HarmonyOS module or project has no source map of the wanted mode.',
    fix: 'Build in release mode first (hvigorw assembleApp -p buildMode=release), or say that a debug build is meant.',
  },
  'arkts-map-invalid': {
    severity: 'error',
    cause: 'A sourceMaps.map is no JSON object of v3 source maps by file.',
    fix: "Give the sourceMaps.map of the module's build, not the map of a single file.",
  },
  'arkts-map-stale': {
    severity: 'warning',
    cause:
      'A copy of the ArkTS map is from another build, or may be: hvigor leaves the copy of one mode when the other is built.',
    fix: 'Clean and build again, so that only maps of this build are there.',
  },
  'name-cache-missing': {
    severity: 'info',
    cause: 'A release build of ArkTS has no nameCache.json; it is written when obfuscation is on.',
    fix: 'Nothing when obfuscation is off; else upload from the machine that built, before the build directory is cleaned.',
  },
  'archive-invalid': {
    severity: 'error',
    cause:
      'The archive cannot be used: it is no zip, damaged, encrypted, or its entries have unsafe or repeated names.',
    fix: 'Export or pack the archive again.',
  },
  'archive-too-large': {
    severity: 'error',
    cause: 'The archive is over a limit: 50 MB for each .js.map, 500 MB in all (both decompressed), 5000 entries.',
    fix: 'Leave out what is not a source map, or split the large chunk.',
  },
  'archive-without-maps': {
    severity: 'error',
    cause: 'The archive has no entry whose name ends in .js.map; other entries are ignored.',
    fix: 'Turn source maps on in the build, and pack the .js.map files.',
  },
  'native-not-elf': {
    severity: 'error',
    cause: 'A file that should be a native library is no ELF file: a linker script, a text, or for another system.',
    fix: 'Give the directory with the unstripped .so files that the linker wrote.',
  },
  'native-damaged': {
    severity: 'error',
    cause: 'A native file (.so, dSYM) is cut short or damaged.',
    fix: 'Build again, and check that the copy of the file is whole.',
  },
  'build-id-missing': {
    severity: 'error',
    cause: 'A native library has no .note.gnu.build-id section. The build-id is the key by which stacks find it.',
    fix: 'Link it with -Wl,--build-id (CMake: add_link_options(-Wl,--build-id)) and ship and upload the same build.',
  },
  'native-stripped': {
    severity: 'error',
    cause: 'A native library was stripped: it has no symbol table and no debug information, so it resolves nothing.',
    fix: 'Upload the library from before stripping (obj/<abi>, intermediates/cxx, merged_native_libs); drop -s and -Wl,--strip-all.',
  },
  'debug-info-missing': {
    severity: 'warning',
    cause: 'A native library has function names but no debug information, so its frames get no file and line.',
    fix: 'Compile with -g (CMake: RelWithDebInfo); the packaged library is stripped all the same.',
  },
  'arch-mismatch': {
    severity: 'error',
    cause: 'A native library is for another architecture than the ABI directory it lies in.',
    fix: 'Put each library in the directory of its ABI.',
  },
  'mapping-invalid': {
    severity: 'error',
    cause:
      'The file is no ProGuard or R8 mapping: another output of the shrinker (seeds, usage), an HTML error page, binary, or cut short.',
    fix: 'Give the mapping.txt that the release build writes (build/outputs/mapping/<variant>/mapping.txt).',
  },
  'mapping-too-large': {
    severity: 'error',
    cause: 'The mapping file is larger than 500 MB.',
    fix: 'Trim the indents of the mapping file, or keep fewer line ranges in it.',
  },
  'mapping-not-obfuscated': {
    severity: 'warning',
    cause: 'Nothing is renamed in the mapping file; stacks of this build read the same without it.',
    fix: 'Check that it belongs to the minified variant, and that -dontobfuscate is meant.',
  },
  'map-uncomposed': {
    severity: 'error',
    cause:
      "The bundle is Hermes bytecode, but the source map is only one half of it: Metro's (of the JavaScript) or the Hermes compiler's (of the bytecode).",
    fix: 'Give both halves: --packager-map index.android.bundle.packager.map --compiler-map index.android.bundle.compiler.map; or the map that React Native composed.',
  },
  'breakpad-invalid': {
    severity: 'error',
    cause: 'A .sym file is no Breakpad symbol file: its first line is not MODULE, or it holds no FUNC and no PUBLIC.',
    fix: "Make it with Breakpad's dump_syms, or take the one from Electron's release archive (*-symbols.zip, unpacked).",
  },
  'symbols-not-found': {
    severity: 'error',
    cause: 'No symbol file of the wanted kind is at the path.',
    fix: 'Run after the build, and give the directory that it writes the symbol files to.',
  },
  // Proving
  'map-offset': {
    severity: 'warning',
    cause:
      'The code stands some lines or columns away from where its map says, because something was put before it (a banner, a license) after the map was made. Every position would resolve that far off.',
    fix: 'Let the bundler add it (its own banner option), so that the map counts it.',
  },
  'map-stale': {
    severity: 'warning',
    cause:
      "The names in a file do not stand where its map says: the file was changed after its map was made, or the map is another build's.",
    fix: 'Build again, and let nothing rewrite the files afterwards without updating their maps.',
  },
  'map-low-resolution': {
    severity: 'warning',
    cause: 'A source map has hardly any columns: all of a long minified line resolves to one original line.',
    fix: "Use full source maps: not webpack's cheap-* ones, and `hires: true` in plugins that use magic-string.",
  },
  'map-incomplete': {
    severity: 'warning',
    cause: 'A file, or a long stretch of it, has no sources in its map; stacks from there stay minified.',
    fix: 'Find the plugin that changes code without giving a map back, or what changed the file after the build.',
  },
  'sources-without-content': {
    severity: 'warning',
    cause:
      'A source map names its sources but does not hold their text; stacks resolve without source lines, and were not proven.',
    fix: "Turn the sources' content on (webpack: not nosources-*; TypeScript: inlineSources).",
  },
  'proof-incomplete': {
    severity: 'info',
    cause: 'Not everything was proven, because it is too large or took too long. It is uploaded all the same.',
    fix: 'Nothing; `symup check <dir>` takes the time.',
  },
  'debug-ids-unsupported': {
    severity: 'warning',
    cause: 'Debug ids are asked for, but this bundler gives plugins no place to write them.',
    fix: 'Leave debugIds out; stacks are matched by service, version and path.',
  },
  'git-incomplete': {
    severity: 'warning',
    cause:
      'Not everything about the commit that is built could be found out: there is no git, no repository, no remote, and no CI variables that tell.',
    fix: 'Build in a checkout that git can read, or turn this off (option `git: false`, --disable-git).',
  },
  // What ships
  'leak-api-key': {
    severity: 'error',
    cause: 'The API key of the intake stands in a file that ships, as it is or encoded.',
    fix: 'Revoke the key, take it out of the code, and give it to the build in the environment only (and not through define or a VITE_ variable).',
  },
  'leak-map': {
    severity: 'warning',
    cause: 'A source map is in the output directory; deployed with it, everyone can read the sources.',
    fix: 'Let the plugin delete the maps after the upload (deleteAfterUpload), or leave *.map out of the deployment.',
  },
  'leak-reference': {
    severity: 'warning',
    cause: 'A file names a source map that is not there: browsers ask for it in vain, and its name is told.',
    fix: "Use hidden source maps (Vite, Rollup: 'hidden'; webpack: hidden-source-map; esbuild: 'external').",
  },
  'leak-manifest': {
    severity: 'warning',
    cause: 'A manifest or precache list names source maps; a service worker that cannot load them may fail to install.',
    fix: 'Leave *.map out of the list (Workbox: globIgnores or exclude).',
  },
  'leaks-incomplete': {
    severity: 'info',
    cause: 'Not every file of the output was looked through, because it took too long.',
    fix: 'Run `symup check <dir>`, which takes the time.',
  },
  'map-blank': {
    severity: 'warning',
    cause:
      'A source map maps nothing: its `mappings` are empty or only `;`. Stacks of its script will stay as they are.',
    fix: "Turn on the compile options that make maps: in WeChat's devtools that is uploading with source maps, with ES6 conversion or minification on.",
  },
  'map-one-segment': {
    severity: 'warning',
    cause: 'A source map has one mapping for the whole script, so that every position resolves to the same line.',
    fix: "Make full maps; in Taro set mini.enableSourceMap to true and mini.sourceMapType to 'source-map'.",
  },
  'map-old-name': {
    severity: 'warning',
    cause: "A file's name ends in .map.map, as older tools of WeChat export it. Only .js.map is processed.",
    fix: 'Export again with current devtools or miniprogram-ci, or rename it to <script>.js.map: app-service.map.map is app-service.js.map.',
  },
  'main-package-twice': {
    severity: 'info',
    cause:
      'The archive has the main package as __APP__, for clients that know sub-packages, and as __FULL__, for older ones.',
    fix: 'Nothing: stacks are looked up in __APP__ first, and the answer says so.',
  },
  'map-not-composed': {
    severity: 'warning',
    cause:
      "No script that the archive's maps name has a map in the build output, so stacks resolve to built JavaScript only.",
    fix: 'Give the build output that was uploaded to the host, built with source maps.',
  },
  'app-json-missing': {
    severity: 'warning',
    cause: 'No app.json was found, so sub-packages are not known and everything counts as main package.',
    fix: 'Give the directory that the mini program is built into: the one that holds app.json.',
  },
  'dsym-not-found': {
    severity: 'error',
    cause: 'No .dSYM was found at the path.',
    fix: 'Set Debug Information Format to "DWARF with dSYM File" for Release, and give the dSYM, its directory or the .xcarchive.',
  },
  'dsym-without-debug-info': {
    severity: 'error',
    cause: 'A .dSYM has no debug information, so it resolves nothing: it was stripped, or the build made none.',
    fix: 'Build with -g (Generate Debug Symbols = Yes), and let dsymutil run before the binary is stripped.',
  },
  'uuid-missing': {
    severity: 'error',
    cause: 'A Mach-O file has no UUID. It is the key by which crash reports find their symbols.',
    fix: 'Link without -no_uuid.',
  },
  'dsym-duplicate': {
    severity: 'info',
    cause: 'The same .dSYM (by UUID) was found more than once; it is sent once.',
    fix: 'Nothing.',
  },
  // Uploading
  'road-unusable': {
    severity: 'error',
    cause: 'The proxy address is no URL, or the file with certificate authorities cannot be read.',
    fix: 'Correct `--proxy` or HTTPS_PROXY, or `--ca` or NODE_EXTRA_CA_CERTS.',
  },
  unreachable: {
    severity: 'error',
    cause: 'The intake could not be reached, or the connection broke before it answered.',
    fix: 'Check the address, the network and the proxy; then upload again.',
  },
  unauthorized: {
    severity: 'error',
    cause: 'The intake does not accept the API key (401).',
    fix: 'Check that the key is complete, valid and meant for this endpoint.',
  },
  forbidden: {
    severity: 'error',
    cause: 'The API key is valid but may not upload symbol files (403).',
    fix: 'Use a key that has the right to upload.',
  },
  'endpoint-wrong': {
    severity: 'error',
    cause: 'Something answered at the endpoint, but it is not a symbol intake (404, 405 or a redirect).',
    fix: 'Correct the endpoint; for the platform itself leave it out and set the site.',
  },
  rejected: {
    severity: 'error',
    cause: 'The intake refused the content (400 or 422).',
    fix: 'Correct what its message names.',
  },
  'too-large': {
    severity: 'error',
    cause: 'The intake refused the artifact because of its size (413).',
    fix: 'Split the chunk, or have the limit raised at the intake or the proxy before it.',
  },
  'rate-limited': {
    severity: 'error',
    cause: 'The intake asked to slow down (429) and went on asking for longer than symup waits.',
    fix: 'Upload again later, or with a lower concurrency.',
  },
  'server-error': {
    severity: 'error',
    cause: 'The intake answered with an error of its own, every time it was asked.',
    fix: 'Upload again later; give the request id to whoever runs the intake.',
  },
  'clock-skew': {
    severity: 'warning',
    cause: "This machine's clock is more than a minute off the intake's; certificates and times in reports look wrong.",
    fix: 'Let the machine set its clock from the network.',
  },
  'ledger-unusable': {
    severity: 'warning',
    cause: 'The file that remembers what was sent could not be read or written; the upload went on without it.',
    fix: 'Give a path that can be written, or turn the ledger off.',
  },
  'not-tried': {
    severity: 'error',
    cause: 'An earlier failure made it pointless to try this one.',
    fix: 'Mend the earlier problem and upload again.',
  },
} as const satisfies Record<string, { severity: Severity; cause: string; fix: string }>

export type Severity = 'error' | 'warning' | 'info'
export type ProblemCode = keyof typeof PROBLEMS

/** One expected trouble: stable code, what happened, what to do. Never holds a secret. */
export interface Problem {
  code: ProblemCode
  severity: Severity
  /** The file it is about, as the user would name it. */
  file?: string
  message: string
  fix: string
  /** Where the code is documented: a page of the repository, which the package `@symup/core` ships as `problems.md`. */
  docs: string
}

interface ProblemDetails {
  file?: string
  /** What to do about this very case; default: the general fix of the code. */
  fix?: string
  severity?: Severity
}

/** Makes a problem. `message` says what happened here, in one sentence, without any secret. */
export function problem(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  const kind = PROBLEMS[code]
  return {
    code,
    severity: details.severity ?? kind.severity,
    ...(details.file === undefined ? {} : { file: details.file }),
    message,
    fix: details.fix ?? kind.fix,
    docs: `docs/problems.md#${code}`,
  }
}

/**
 * Thrown where going on makes no sense and no report can be given: an unusable configuration, or a failed build hook.
 * Carries every problem at once.
 */
export class SymupError extends Error {
  override readonly name = 'SymupError'
  readonly problems: Problem[]

  constructor(message: string, problems: Problem[]) {
    super(message)
    this.problems = problems
  }
}
