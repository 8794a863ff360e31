import { defineProblems } from './define.ts'

export const INVALID_ARTIFACT = defineProblems('invalid-artifact', {
  'map-missing': {
    severity: 'error',
    cause:
      'A JavaScript file refers to a source map (sourceMappingURL) that does not exist. The source map may have been deleted or moved before the upload.',
    fix: 'Upload source maps before you delete or move them, or remove the sourceMappingURL comment.',
  },
  'map-invalid': {
    severity: 'error',
    cause:
      'The source map is invalid. The file may be truncated, or it may be another type of file, such as an HTML error page.',
    fix: 'Build again, and check that nothing rewrites or truncates the source map.',
  },
  'map-remote': {
    severity: 'warning',
    cause: 'A JavaScript file refers to a source map at a remote URL, but symup uploads only source maps on disk.',
    fix: 'Write the source map next to the script, or run the upload on the machine that builds the script.',
  },
  'map-orphan': {
    severity: 'info',
    cause: 'No JavaScript file next to the source map refers to it, so the source map is not uploaded.',
    fix: 'If a script should use this source map, build again. Otherwise, ignore this message.',
  },
  'map-uncomposed': {
    severity: 'error',
    cause:
      'The bundle is Hermes bytecode, which requires two source maps: one from Metro and one from the Hermes compiler. Only one of the source maps was passed.',
    fix: 'Pass both source maps with --packager-map index.android.bundle.packager.map and --compiler-map index.android.bundle.compiler.map, or pass the composed source map from React Native.',
  },
  'file-empty': {
    severity: 'error',
    cause: 'One of the files to upload is empty.',
    fix: 'Build again. An earlier build step did not finish writing the file.',
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
      'Adding a debug id would change the script, but an integrity hash, a precache manifest or a compressed copy depends on its exact content.',
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
    fix: 'Copy the file into the directory. Alternatively, if you trust every file in this build, use --allowed-root <dir>, the `allowedRoot` option, or SYMUP_ALLOWED_ROOT to specify a directory that contains all of them.',
  },
  'arkts-map-invalid': {
    severity: 'error',
    cause: 'A sourceMaps.map file must be a JSON object that contains a version 3 source map for each file.',
    fix: 'Pass the sourceMaps.map from the build of the module, not the source map of a single file.',
  },
  'name-cache-invalid': {
    severity: 'error',
    cause: 'The nameCache.json file is not a JSON object, so it cannot be used to resolve stacks from its module.',
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
      'A file that should be a native library is not an ELF file. The file may be a linker script or another text file, or a library for another operating system.',
    fix: 'Pass the directory that contains the unstripped .so files from the linker.',
  },
  'native-damaged': {
    severity: 'error',
    cause: 'A native file (.so, dSYM) is truncated or damaged.',
    fix: 'Build again, and check that the file was copied completely.',
  },
  'build-id-missing': {
    severity: 'error',
    cause:
      'The native library does not contain a .note.gnu.build-id section. Stacks are matched to native libraries by build-id.',
    fix: 'Link the library with -Wl,--build-id (in CMake, add_link_options(-Wl,--build-id)). Deploy and upload the same build.',
  },
  'native-stripped': {
    severity: 'error',
    cause:
      'The symbol table and debug information were stripped from the native library, so the library cannot be used to resolve frames.',
    fix: 'Upload the unstripped library (obj/<abi>, intermediates/cxx, merged_native_libs), and do not link with -s or -Wl,--strip-all.',
  },
  'native-others-skipped': {
    severity: 'info',
    cause:
      'Some packaged libraries are not built by the project. They contain no symbols, so symup does not upload them. If symup cannot determine whether the project builds a library, this message is a warning.',
    fix: 'Ignore this message unless you build one of these libraries. If you build a library yourself, upload its unstripped file (obj/<abi>, intermediates/cxx).',
  },
  'arch-mismatch': {
    severity: 'error',
    cause: 'The native library was built for an architecture that does not match its ABI directory.',
    fix: 'Put each library in the directory for its ABI.',
  },
  'mapping-invalid': {
    severity: 'error',
    cause:
      'The file is not a usable ProGuard or R8 mapping. It may be another output file of the shrinker (seeds, usage), an HTML error page, a binary file, or a truncated mapping.',
    fix: 'Pass the mapping.txt that the release build writes (build/outputs/mapping/<variant>/mapping.txt).',
  },
  'mapping-not-obfuscated': {
    severity: 'warning',
    cause: 'The mapping file does not rename anything, so stacks from this build are readable without it.',
    fix: 'If the app should be obfuscated, check that the mapping is from the minified variant and that -dontobfuscate is not set.',
  },
  'breakpad-invalid': {
    severity: 'error',
    cause:
      'The .sym file is not a valid Breakpad symbol file because it does not start with a MODULE line, or because it contains no FUNC or PUBLIC records.',
    fix: 'Create the file with dump_syms from Breakpad, or unpack the Electron release archive (*-symbols.zip) and use the file in it.',
  },
  'map-old-name': {
    severity: 'warning',
    cause: 'The file name ends in .map.map, as in output from older WeChat tools. symup processes only .js.map files.',
    fix: 'Export the source maps again with a current version of WeChat devtools or miniprogram-ci, or rename the file to <script>.js.map. For example, rename app-service.map.map to app-service.js.map.',
  },
  'main-package-twice': {
    severity: 'info',
    cause:
      'The archive contains the main package twice: as __APP__ for clients that support sub-packages, and as __FULL__ for older clients. To resolve a stack, the intake searches __APP__ first, and then __FULL__.',
    fix: '',
  },
  'dsym-without-debug-info': {
    severity: 'error',
    cause:
      'One of the .dSYM files contains no debug information, so it cannot be used to resolve frames. The file was stripped, or the build did not generate debug information.',
    fix: 'Build with -g (Generate Debug Symbols = Yes), and run dsymutil before the binary is stripped.',
  },
  'symbol-map-missing': {
    severity: 'warning',
    cause:
      'One of the .dSYM files contains names such as __hidden#12_, which are typical of bitcode builds. The original names are in a BCSymbolMap, which is required to resolve stacks.',
    fix: 'Also pass the Xcode archive of the build, whose BCSymbolMaps directory contains the original names. For example, run symup ios upload appDsyms.zip Shop.xcarchive.',
  },
  'uuid-missing': {
    severity: 'error',
    cause: 'One of the Mach-O files does not contain a UUID. Crash reports are matched to symbols by UUID.',
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
    fix: 'Correct the value that the intake reports as invalid.',
  },
})
