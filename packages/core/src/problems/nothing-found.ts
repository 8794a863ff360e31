import { defineProblems } from './define.ts'

/** The build or the command found nothing to upload. */
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
    fix: 'Run after the native build, and pass the directory that contains one directory per ABI (arm64-v8a …).',
  },
  'arkts-map-missing': {
    severity: 'error',
    cause: 'A HarmonyOS module or project has no source map for this build mode.',
    fix: 'Build in release mode first (hvigorw assembleApp -p buildMode=release), or choose the debug build.',
  },
  'archive-without-maps': {
    severity: 'error',
    cause: 'The archive has no source map. Only JSON entries whose names end in .js.map count.',
    fix: "Turn source maps on in the build, and pack the .js.map files. Without a build of your own, export WeChat's source map of the release (devtools, or miniprogram-ci's getDevSourceMap), and upload that zip.",
  },
  'symbols-not-found': {
    severity: 'error',
    cause: 'There is no symbol file of this kind at the path.',
    fix: 'Run after the build, and pass the directory that it writes the symbol files to.',
  },
  'files-excluded': {
    severity: 'info',
    cause:
      '`exclude` matches some files, or `include` does not match them, so they are not uploaded. It is an error if no file remains.',
    fix: 'If you did not intend this, correct the globs, which are relative to the output directory.',
  },
  'dsym-not-found': {
    severity: 'error',
    cause: 'No .dSYM was found at the path.',
    fix: 'Set Debug Information Format to "DWARF with dSYM File" for Release, and pass the dSYM, its directory or the .xcarchive.',
  },
})
