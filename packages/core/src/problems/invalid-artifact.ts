import { defineProblems } from './define.ts'

/** A file is unusable, or is not the expected file. */
export const INVALID_ARTIFACT = defineProblems('invalid-artifact', {
  'map-missing': {
    severity: 'error',
    cause:
      'A JavaScript file refers to a source map (sourceMappingURL) that does not exist, or its map was deleted before the upload.',
    fix: 'Upload the maps before you delete or move them, or remove the comment.',
  },
  'map-invalid': {
    severity: 'error',
    cause: 'A source map is invalid: it is another kind of file, an HTML error page, or truncated.',
    fix: 'Build again, and check that nothing rewrites or truncates the source map.',
  },
  'map-remote': {
    severity: 'warning',
    cause: 'A JavaScript file refers to a source map at a remote URL. symup uploads only maps on disk.',
    fix: 'Write the map next to the script, or run the upload on the machine that builds the script.',
  },
  'map-orphan': {
    severity: 'info',
    cause: 'No JavaScript file next to the source map uses it, so it is not uploaded.',
    fix: 'Ignore this unless the file should exist.',
  },
  'map-uncomposed': {
    severity: 'error',
    cause:
      "The bundle is Hermes bytecode, but only half of its source map was passed: Metro's map (of the JavaScript) or the map of the Hermes compiler (of the bytecode).",
    fix: 'Pass both halves: --packager-map index.android.bundle.packager.map --compiler-map index.android.bundle.compiler.map. Or pass the map that React Native composed.',
  },
  'file-empty': {
    severity: 'error',
    cause: 'A file that should be uploaded is empty.',
    fix: 'Build again: an earlier step did not finish writing the file.',
  },
  'file-compressed': {
    severity: 'info',
    cause:
      'A script file contains gzip or Brotli data, but its name does not end in .gz or .br. symup uploads the decompressed text.',
    fix: 'Make sure that the server sends the Content-Encoding header for this file, or give compressed copies separate names (`[path][base].gz`).',
  },
  'debug-id-not-added': {
    severity: 'error',
    cause:
      'A debug id would change the script, but something else depends on its exact content: an integrity hash, a precache manifest or a compressed copy.',
    fix: 'Run `symup web inject` before the step that hashes or compresses the scripts, or set `debugIds: true` in the bundler plugin.',
  },
  'file-unreadable': {
    severity: 'error',
    cause: 'A file could not be read.',
    fix: 'Check that it still exists and that the build user has permission to read it.',
  },
  'file-outside': {
    severity: 'error',
    cause:
      "A file is outside the uploaded directory: a symbolic link or a script's sourceMappingURL points to it. symup does not send the file.",
    fix: 'Copy it into the directory. If you trust every file of this build, pass a directory that contains them all: --allowed-root <dir>, option `allowedRoot`, or SYMUP_ALLOWED_ROOT.',
  },
  'arkts-map-invalid': {
    severity: 'error',
    cause: 'A sourceMaps.map is not a JSON object of version 3 source maps, one for each file.',
    fix: "Pass the sourceMaps.map of the module's build, not the map of a single file.",
  },
  'name-cache-invalid': {
    severity: 'error',
    cause: 'A nameCache.json is not a JSON object, so stacks of its module cannot be resolved with it.',
    fix: 'Build the module again.',
  },
  'archive-invalid': {
    severity: 'error',
    cause:
      'The archive cannot be used: it is not a zip file, it is damaged or encrypted, or its entries have unsafe or repeated names.',
    fix: 'Export or pack the archive again. If it is not an archive, pass a file that the command supports (see --help).',
  },
  'native-not-elf': {
    severity: 'error',
    cause:
      'A file that should be a native library is not an ELF file: it is a linker script or text, or it is for another system.',
    fix: 'Pass the directory with the unstripped .so files that the linker wrote.',
  },
  'native-damaged': {
    severity: 'error',
    cause: 'A native file (.so, dSYM) is truncated or damaged.',
    fix: 'Build again, and check that the file was copied completely.',
  },
  'build-id-missing': {
    severity: 'error',
    cause: 'A native library has no .note.gnu.build-id section. Stacks are matched to it by build-id.',
    fix: 'Link it with -Wl,--build-id (CMake: add_link_options(-Wl,--build-id)). Deploy and upload the same build.',
  },
  'native-stripped': {
    severity: 'error',
    cause:
      'A native library was stripped: it has no symbol table and no debug information, so it cannot resolve anything.',
    fix: 'Upload the unstripped library (obj/<abi>, intermediates/cxx, merged_native_libs), and do not link with -s or -Wl,--strip-all.',
  },
  'native-others-skipped': {
    severity: 'info',
    cause:
      'Libraries that the project packages but does not build have no symbols, like most prebuilt libraries. They are not uploaded. This is a warning if symup cannot tell who builds the libraries.',
    fix: 'Ignore this unless you build one of these libraries. If you do, upload its unstripped file (obj/<abi>, intermediates/cxx).',
  },
  'arch-mismatch': {
    severity: 'error',
    cause: 'A native library is for another architecture than the ABI directory it is in.',
    fix: 'Put each library in the directory of its ABI.',
  },
  'mapping-invalid': {
    severity: 'error',
    cause:
      'The file is not a ProGuard or R8 mapping: it is another output of the shrinker (seeds, usage), an HTML error page, binary, or truncated.',
    fix: 'Pass the mapping.txt that the release build writes (build/outputs/mapping/<variant>/mapping.txt).',
  },
  'mapping-not-obfuscated': {
    severity: 'warning',
    cause: 'The mapping file renames nothing, so stacks of this build do not need it.',
    fix: 'Check that it belongs to the minified variant, and that -dontobfuscate is intended.',
  },
  'breakpad-invalid': {
    severity: 'error',
    cause:
      'A .sym file is not a Breakpad symbol file: its first line is not MODULE, or it has no FUNC or PUBLIC records.',
    fix: "Create the file with Breakpad's dump_syms, or use the file from Electron's release archive (*-symbols.zip, unpacked).",
  },
  'map-old-name': {
    severity: 'warning',
    cause: 'A file name ends in .map.map, which older WeChat tools use. symup processes only .js.map files.',
    fix: 'Export again with current devtools or miniprogram-ci, or rename the file to <script>.js.map: app-service.map.map becomes app-service.js.map.',
  },
  'main-package-twice': {
    severity: 'info',
    cause:
      'The archive contains the main package as __APP__, for clients that support sub-packages, and as __FULL__, for older ones.',
    fix: 'No action is needed. Stacks are looked up in __APP__ first, then in __FULL__.',
  },
  'dsym-without-debug-info': {
    severity: 'error',
    cause:
      'A .dSYM has no debug information, so it cannot resolve anything. The file was stripped, or the build generated no debug information.',
    fix: 'Build with -g (Generate Debug Symbols = Yes), and let dsymutil run before the binary is stripped.',
  },
  'symbol-map-missing': {
    severity: 'warning',
    cause:
      "A .dSYM has names such as __hidden#12_, as in Apple's bitcode builds. Stacks need the original names, which are in a BCSymbolMap.",
    fix: 'Also pass the Xcode archive of the build, whose BCSymbolMaps directory contains them: symup ios upload appDsyms.zip Shop.xcarchive.',
  },
  'uuid-missing': {
    severity: 'error',
    cause: 'A Mach-O file has no UUID. Crash reports are matched to symbols by UUID.',
    fix: 'Link without -no_uuid.',
  },
  'dsym-duplicate': {
    severity: 'info',
    cause: 'The same .dSYM (by UUID) was found more than once. symup sends it only once.',
    fix: 'No action is needed.',
  },
  rejected: {
    severity: 'error',
    cause: 'The intake refused the content (400 or 422).',
    fix: 'Correct the value described in the message from the intake.',
  },
})
