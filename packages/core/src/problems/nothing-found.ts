import { defineProblems } from './define.ts'

export const NOTHING_FOUND = defineProblems('nothing-found', {
  'nothing-found': {
    severity: 'error',
    cause: 'No JavaScript file with a source map was found.',
    fix: 'Turn source maps on in the build, and pass the directory that it writes to.',
  },
  'no-frame-found': {
    severity: 'error',
    cause: 'No stack frame was found in the text.',
    fix: 'Pass a stack as the runtime printed it, or an error event (JSON) that contains one.',
  },
  'no-native-libraries': {
    severity: 'error',
    cause: 'No native library (.so) was found in the build output or at the given path.',
    fix: 'Run the command after the native build, and pass the directory that contains one directory per ABI (arm64-v8a …).',
  },
  'arkts-map-missing': {
    severity: 'error',
    cause: 'A HarmonyOS module or project has no source map for this build mode.',
    fix: 'Build in release mode first (hvigorw assembleApp -p buildMode=release), or upload the debug build.',
  },
  'archive-without-maps': {
    severity: 'error',
    cause: 'The archive has no source map. symup uses only JSON entries whose names end in .js.map.',
    fix: "Turn source maps on in the build, and pack the .js.map files. If you do not build the scripts yourself, export WeChat's source map of the release (devtools, or miniprogram-ci's getDevSourceMap), and upload that zip.",
  },
  'symbols-not-found': {
    severity: 'error',
    cause: 'No symbol file of this kind was found at the path.',
    fix: 'Run the command after the build, and pass the directory that contains the symbol files.',
  },
  'files-excluded': {
    severity: 'info',
    cause:
      'Some files are not uploaded, because they match `exclude` or do not match `include`. It is an error if no files remain.',
    fix: 'If you did not intend this, correct the globs. They are relative to the output directory.',
  },
  'dsym-not-found': {
    severity: 'error',
    cause: 'No .dSYM was found at the path.',
    fix: 'Set Debug Information Format to "DWARF with dSYM File" for Release, and pass the dSYM, its directory or the .xcarchive.',
  },
})
