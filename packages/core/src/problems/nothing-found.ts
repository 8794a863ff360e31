import { defineProblems } from './define.ts'

export const NOTHING_FOUND = defineProblems('nothing-found', {
  'nothing-found': {
    severity: 'error',
    cause: 'No JavaScript file with a source map was found.',
    fix: 'Turn on source maps in the build, and pass the directory that the build writes to.',
  },
  'no-frame-found': {
    severity: 'error',
    cause: 'No stack frame was found in the input.',
    fix: 'Pass a stack exactly as the runtime printed it, or an error event (JSON) that contains a stack.',
  },
  'no-native-libraries': {
    severity: 'error',
    cause: 'No native library (.so) was found in the build output or at the specified path.',
    fix: 'Run the command after the native build, and pass the directory that contains one subdirectory per ABI (arm64-v8a …).',
  },
  'arkts-map-missing': {
    severity: 'error',
    cause: 'No source map was found in a HarmonyOS module or project for this build mode.',
    fix: 'Build in release mode first (hvigorw assembleApp -p buildMode=release), upload the debug build, or pass a sourceMaps.map or app-symbol.zip file.',
  },
  'archive-without-maps': {
    severity: 'error',
    cause: 'The archive contains no source maps. symup uses only JSON entries with names that end in .js.map.',
    fix: 'Turn on source maps in the build, and pack the .js.map files. If you do not build the scripts yourself, export the source map for the release from WeChat (with devtools or getDevSourceMap in miniprogram-ci), and upload that zip file.',
  },
  'symbols-not-found': {
    severity: 'error',
    cause: 'No symbol files of this type were found at the specified path.',
    fix: 'Run the command after the build, and pass the directory that contains the symbol files.',
  },
  'files-excluded': {
    severity: 'info',
    cause:
      'Some files are not uploaded because they match `exclude` or do not match `include`. If no files remain, this is treated as an error.',
    fix: 'If you want to upload these files, correct the globs. Globs are relative to the output directory.',
  },
  'dsym-not-found': {
    severity: 'error',
    cause: 'No .dSYM was found at the specified path.',
    fix: 'Set Debug Information Format to "DWARF with dSYM File" for Release, and pass the dSYM, its directory or the .xcarchive.',
  },
})
