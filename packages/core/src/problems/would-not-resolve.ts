import { defineProblems } from './define.ts'

export const WOULD_NOT_RESOLVE = defineProblems('would-not-resolve', {
  'no-map': {
    severity: 'warning',
    cause:
      'A JavaScript file does not refer to a source map, and no source map was found next to it. Stacks from the file will stay minified.',
    fix: 'Turn on source maps for the file. If the file is not yours, exclude it from the upload.',
  },
  'archive-version-differs': {
    severity: 'warning',
    cause:
      'The archive contains the version that was uploaded to WeChat, but this upload is for another version. Stacks from the app would not be matched to the source maps.',
    fix: 'Upload with the version in the archive, or pass --release-version auto to read the version from the archive.',
  },
  'version-differs': {
    severity: 'warning',
    cause:
      'The version of the upload differs from the version that the built app reports, so stacks from the app will not be matched to the files.',
    fix: 'Remove the version setting to use the version of the app, or set it to the same version.',
  },
  'arkts-map-stale': {
    severity: 'warning',
    cause:
      'A copy of the ArkTS source map is, or may be, from another build. When hvigor builds in one mode, it keeps the copy from the other mode.',
    fix: 'Clean the project, and build again so that only the source maps from this build remain.',
  },
  'name-cache-missing': {
    severity: 'info',
    cause:
      'An ArkTS release build does not contain a nameCache.json file. hvigor writes this file if obfuscation is on.',
    fix: 'If obfuscation is off, ignore this message. Otherwise, upload on the machine that built the app, before the build directory is cleaned.',
  },
  'debug-info-missing': {
    severity: 'warning',
    cause:
      'A native library contains function names but no debug information, so its frames resolve without a file and line.',
    fix: 'Compile with -g (in CMake, RelWithDebInfo). The library in the package is stripped anyway.',
  },
  'dsym-missing': {
    severity: 'warning',
    cause:
      'No dSYM in an .xcarchive has the UUID of an app, extension or framework, so frames from that binary remain addresses.',
    fix: 'Also pass the dSYM for this binary, which comes from the build that created the binary or from the vendor of the framework.',
  },
  'map-offset': {
    severity: 'warning',
    cause:
      'The code is some lines or columns away from the position in its source map because a banner or other text was prepended after the map was generated. All positions would be off by that distance.',
    fix: "Add the text with the bundler's own banner option so that the source map includes the text. If no step adds text, the map is from another build, so build again.",
  },
  'map-stale': {
    severity: 'warning',
    cause:
      'The names in a file do not match its source map, because the file was changed after the map was generated or the map is from another build.',
    fix: 'Build again, and make sure that no later step rewrites the files without updating their source maps.',
  },
  'map-low-resolution': {
    severity: 'warning',
    cause:
      'A source map contains almost no column information, so all positions in a long minified line resolve to one original line.',
    fix: 'Use full source maps. Cheap source maps contain lines but not columns.',
  },
  'map-incomplete': {
    severity: 'warning',
    cause:
      'The source map of a file does not map the file, or a long part of it, to any sources. Stacks from that code stay minified.',
    fix: 'Find the plugin that changes code without returning a source map, or the step that changed the file after the build.',
  },
  'sources-without-content': {
    severity: 'info',
    cause:
      'A source map lists its sources but does not contain their text. Stacks resolve to file and line, but without source lines, and symup cannot check the code.',
    fix: 'To see and check source lines, include the source text in the source map. Remove `nosources` from the source map setting, or set inlineSources in TypeScript.',
  },
  'map-blank': {
    severity: 'warning',
    cause:
      'A source map contains no mappings, because `mappings` is empty or contains only `;`. Stacks from its script will stay minified.',
    fix: 'Turn on the compile options that generate source maps. In WeChat devtools, upload with source maps, and turn on ES6 conversion or minification.',
  },
  'map-one-segment': {
    severity: 'warning',
    cause: 'A source map contains one mapping for the whole script, so every position resolves to the same line.',
    fix: "Generate full source maps. In Taro, set mini.enableSourceMap to true and mini.sourceMapType to 'source-map'.",
  },
  'map-not-composed': {
    severity: 'warning',
    cause:
      'A source map points to compiled JavaScript, because the source map of that JavaScript was not followed. Stacks do not resolve to the sources.',
    fix: 'Make the bundler follow the source maps of its input with source-map-loader or a similar plugin, or with --source-map content=<file>.map in Terser. Alternatively, let the bundler compile the original sources.',
  },
  'app-json-missing': {
    severity: 'warning',
    cause:
      'No app.json was found, or the file is not valid JSON, so the sub-packages are unknown. All files count as part of the main package.',
    fix: 'Pass the output directory of the mini program, which contains app.json.',
  },
  'stack-too-expensive': {
    severity: 'error',
    cause:
      'Resolving the stack exceeded the time or memory limit for one stack. The cause may be a damaged symbol file.',
    fix: 'Run symup check on the symbol files, and build them again if they are damaged. Shorter stacks need less time and memory.',
  },
})
