import { defineProblems } from './define.ts'

export const INVALID_ARTIFACT = defineProblems('invalid-artifact', {
  'map-missing': {
    severity: 'error',
    cause:
      'A JavaScript file refers to a source map (sourceMappingURL) that does not exist, or its source map was deleted before the upload.',
    fix: 'Upload source maps before you delete or move them, or remove the sourceMappingURL comment.',
  },
  'map-invalid': {
    severity: 'error',
    cause: 'A source map is invalid because it is a different kind of file, an HTML error page, or truncated.',
    fix: 'Build again, and check that nothing rewrites or truncates the source map.',
  },
  'map-remote': {
    severity: 'warning',
    cause: 'A JavaScript file refers to a source map at a remote URL, but symup uploads only source maps on disk.',
    fix: 'Write the source map next to the script, or run the upload on the machine that builds the script.',
  },
  'map-orphan': {
    severity: 'info',
    cause: 'No JavaScript file next to the source map uses it, so the source map is not uploaded.',
    fix: 'Ignore this message unless the file should exist.',
  },
  'map-uncomposed': {
    severity: 'error',
    cause:
      'The bundle is Hermes bytecode, but only one half of its source map was passed: either the map from Metro or the map from the Hermes compiler.',
    fix: 'Pass both halves with --packager-map index.android.bundle.packager.map and --compiler-map index.android.bundle.compiler.map, or pass the source map that React Native composed.',
  },
  'file-empty': {
    severity: 'error',
    cause: 'A file that should be uploaded is empty.',
    fix: 'Build again, because an earlier step did not finish writing the file.',
  },
  'file-compressed': {
    severity: 'info',
    cause:
      'A script file contains gzip or Brotli data, but its name does not end in .gz or .br. symup uploads the decompressed text.',
    fix: 'Make sure that the server sends the Content-Encoding header for this file, or give compressed copies different names (`[path][base].gz`).',
  },
  'debug-id-not-added': {
    severity: 'error',
    cause:
      'A debug id would change the script, but an integrity hash, a precache manifest or a compressed copy depends on its exact content.',
    fix: 'Run `symup web inject` before the step that hashes or compresses the scripts, or set `debugIds: true` in the bundler plugin.',
  },
  'file-unreadable': {
    severity: 'error',
    cause: 'A file could not be read.',
    fix: 'Check that the file still exists and that the build user has permission to read it.',
  },
  'file-outside': {
    severity: 'error',
    cause:
      'A symbolic link or a sourceMappingURL in a script points to a file outside the uploaded directory. symup does not send the file.',
    fix: 'Copy the file into the directory. If you trust every file in this build, pass a directory that contains them all with --allowed-root <dir>, the `allowedRoot` option, or SYMUP_ALLOWED_ROOT.',
  },
  'arkts-map-invalid': {
    severity: 'error',
    cause: 'A sourceMaps.map file must be a JSON object that contains a version 3 source map for each file.',
    fix: 'Pass the sourceMaps.map from the build of the module, not the source map of a single file.',
  },
  'name-cache-invalid': {
    severity: 'error',
    cause: 'A nameCache.json file is not a JSON object, so it cannot be used to resolve stacks from its module.',
    fix: 'Build the module again.',
  },
  'archive-invalid': {
    severity: 'error',
    cause:
      'The archive cannot be used because it is not a zip file, is damaged or encrypted, or contains entries with unsafe or duplicate names.',
    fix: 'Export or pack the archive again. If the file is not an archive, pass a file that the command supports (see --help).',
  },
  'native-not-elf': {
    severity: 'error',
    cause:
      'A file that should be a native library is not an ELF file. The file is a linker script or text, or was built for another system.',
    fix: 'Pass the directory with the unstripped .so files that the linker wrote.',
  },
  'native-damaged': {
    severity: 'error',
    cause: 'A native file (.so, dSYM) is truncated or damaged.',
    fix: 'Build again, and check that the file was copied completely.',
  },
  'build-id-missing': {
    severity: 'error',
    cause:
      'A native library does not contain a .note.gnu.build-id section. Stacks are matched to native libraries by build-id.',
    fix: 'Link the library with -Wl,--build-id (in CMake, add_link_options(-Wl,--build-id)). Deploy and upload the same build.',
  },
  'native-stripped': {
    severity: 'error',
    cause: 'A native library was stripped of its symbol table and debug information, so it cannot resolve any frames.',
    fix: 'Upload the unstripped library (obj/<abi>, intermediates/cxx, merged_native_libs), and do not link with -s or -Wl,--strip-all.',
  },
  'native-others-skipped': {
    severity: 'info',
    cause:
      'Libraries that the project packages but does not build do not contain symbols, so they are not uploaded. If symup cannot determine who builds the libraries, this problem is a warning.',
    fix: 'Ignore this message unless you build one of these libraries. If you build a library yourself, upload its unstripped file (obj/<abi>, intermediates/cxx).',
  },
  'arch-mismatch': {
    severity: 'error',
    cause: 'A native library was built for a different architecture than its ABI directory.',
    fix: 'Put each library in the directory for its ABI.',
  },
  'mapping-invalid': {
    severity: 'error',
    cause:
      'The file is not a ProGuard or R8 mapping. The file is another output of the shrinker (seeds, usage), an HTML error page, binary, or truncated.',
    fix: 'Pass the mapping.txt that the release build writes (build/outputs/mapping/<variant>/mapping.txt).',
  },
  'mapping-not-obfuscated': {
    severity: 'warning',
    cause: 'The mapping file does not rename anything, so stacks from this build do not need it.',
    fix: 'Check that the mapping belongs to the minified variant, and that -dontobfuscate is intended.',
  },
  'breakpad-invalid': {
    severity: 'error',
    cause:
      'A .sym file is not a Breakpad symbol file, because its first line is not MODULE or it has no FUNC or PUBLIC records.',
    fix: 'Create the file with dump_syms from Breakpad, or unpack the Electron release archive (*-symbols.zip) and use the file in it.',
  },
  'map-old-name': {
    severity: 'warning',
    cause: 'A file name ends in .map.map, as in output from older WeChat tools. symup processes only .js.map files.',
    fix: 'Export the source maps again with current devtools or miniprogram-ci, or rename the file to <script>.js.map. For example, rename app-service.map.map to app-service.js.map.',
  },
  'main-package-twice': {
    severity: 'info',
    cause:
      'The archive contains the main package twice: as __APP__ for clients that support sub-packages, and as __FULL__ for older clients. The intake searches for stacks first in __APP__, and then in __FULL__.',
    fix: '',
  },
  'dsym-without-debug-info': {
    severity: 'error',
    cause:
      'A .dSYM contains no debug information, so it cannot resolve any frames. The file was stripped, or the build did not generate debug information.',
    fix: 'Build with -g (Generate Debug Symbols = Yes), and run dsymutil before the binary is stripped.',
  },
  'symbol-map-missing': {
    severity: 'warning',
    cause:
      'A .dSYM contains names such as __hidden#12_, which bitcode builds from Apple contain. Stacks need the original names, which are in a BCSymbolMap.',
    fix: 'Also pass the Xcode archive of the build, whose BCSymbolMaps directory contains the original names. For example, run symup ios upload appDsyms.zip Shop.xcarchive.',
  },
  'uuid-missing': {
    severity: 'error',
    cause: 'A Mach-O file does not contain a UUID. Crash reports are matched to symbols by UUID.',
    fix: 'Link the binary without -no_uuid.',
  },
  'dsym-duplicate': {
    severity: 'info',
    cause: 'Several .dSYM files with the same UUID were found. symup sends only one of them.',
    fix: '',
  },
  rejected: {
    severity: 'error',
    cause: 'The intake rejected the content as invalid (400 or 422).',
    fix: 'Correct the value described in the message from the intake.',
  },
})
