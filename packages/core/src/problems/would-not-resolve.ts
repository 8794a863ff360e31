import { defineProblems } from './define.ts'

export const WOULD_NOT_RESOLVE = defineProblems('would-not-resolve', {
  'no-map': {
    severity: 'warning',
    cause:
      'The JavaScript file does not refer to a source map, and no source map was found next to it. Stacks from the file will stay minified.',
    fix: 'Turn on source maps for the file. If the file is third-party code, exclude it from the upload.',
  },
  'archive-version-differs': {
    severity: 'warning',
    cause:
      'The archive is for the version that was uploaded to WeChat, but a different version was specified for this upload. Stacks from the app would not be matched to the source maps.',
    fix: 'Upload with the version in the archive, or pass --release-version auto to read the version from the archive.',
  },
  'version-differs': {
    severity: 'warning',
    cause:
      'The app reports a different version than the one specified for the upload, so its stacks will not be matched to the uploaded files.',
    fix: 'Remove the version setting to use the version of the app, or change the setting to that version.',
  },
  'arkts-map-stale': {
    severity: 'warning',
    cause:
      'A copy of an ArkTS source map may be from another build. hvigor keeps such copies when the next build uses a different mode.',
    fix: 'Clean the project and rebuild it, so that only the source maps from the new build remain.',
  },
  'name-cache-missing': {
    severity: 'info',
    cause:
      'The ArkTS release build does not contain a nameCache.json file. hvigor writes this file if obfuscation is on.',
    fix: 'If obfuscation is off, ignore this message. Otherwise, upload on the machine that built the app, before the build directory is cleaned.',
  },
  'debug-info-missing': {
    severity: 'warning',
    cause:
      'The native library contains function names but no debug information, so its frames resolve to functions without file names or line numbers.',
    fix: 'Compile with -g (in CMake, RelWithDebInfo). The packaged library is still stripped.',
  },
  'dsym-missing': {
    severity: 'warning',
    cause:
      'No dSYM in the .xcarchive has the UUID of one of the binaries (an app, extension or framework), so frames from that binary remain unresolved.',
    fix: 'Also pass the dSYM for this binary, which comes from the build that created the binary or from the vendor of the framework.',
  },
  'map-offset': {
    severity: 'warning',
    cause:
      'The positions in the script differ from the source map because a banner or other text was prepended after the map was generated. All stack frames would be off by the same number of lines or columns.',
    fix: "Use the bundler's own banner option to add the text, so that the source map accounts for it. If no step adds text, the map is from another build, so build again.",
  },
  'map-stale': {
    severity: 'warning',
    cause:
      'The names in the script do not match its source map. The script was changed after the map was generated, or the map is from another build.',
    fix: 'Build again, and make sure that no later step rewrites the files without updating their source maps.',
  },
  'map-low-resolution': {
    severity: 'warning',
    cause:
      'The source map contains almost no column information, so all positions in a long minified line resolve to one original line.',
    fix: 'Use full source maps. Cheap source maps contain lines but not columns.',
  },
  'map-incomplete': {
    severity: 'warning',
    cause:
      'The source map does not map its script, or a long part of the script, to any sources. Stack frames from that code stay minified.',
    fix: 'Find the plugin that changes code without returning a source map, or the step that changed the file after the build.',
  },
  'sources-without-content': {
    severity: 'info',
    cause:
      'The source map lists its sources but does not contain their text. Stacks resolve to files and lines, but the source lines cannot be shown, and symup cannot check the positions.',
    fix: 'To display and check source lines, include the source text in the source map. Remove `nosources` from the source map setting, or set inlineSources in TypeScript.',
  },
  'map-blank': {
    severity: 'warning',
    cause:
      'The source map contains no mappings because `mappings` is empty or contains only `;`. Stacks from its script will stay minified.',
    fix: 'Turn on the compile options that generate source maps. In WeChat devtools, upload with source maps, and turn on ES6 conversion or minification.',
  },
  'map-one-segment': {
    severity: 'warning',
    cause:
      'The source map contains only one mapping for the whole script, so every position resolves to the same line.',
    fix: "Generate full source maps. In Taro, set mini.enableSourceMap to true and mini.sourceMapType to 'source-map'.",
  },
  'map-not-composed': {
    severity: 'warning',
    cause:
      'A source map points to compiled JavaScript because the bundler did not read the source map of that JavaScript. Stacks do not resolve to the original sources.',
    fix: 'Configure the bundler to read the source maps of its input files. For example, add source-map-loader, or pass --source-map content=<file>.map to Terser. Alternatively, let the bundler compile the original sources.',
  },
  'app-json-missing': {
    severity: 'warning',
    cause:
      'No app.json was found, or the file is not valid JSON, so the sub-packages are unknown. All files are treated as part of the main package.',
    fix: 'Pass the output directory of the mini program, which contains app.json.',
  },
  'stack-too-expensive': {
    severity: 'error',
    cause:
      'Resolving the stack exceeded the time or memory limit for one stack. The cause may be a damaged symbol file.',
    fix: 'Run symup check on the symbol files, and build them again if they are damaged. If they are not damaged, pass a shorter stack.',
  },
})
