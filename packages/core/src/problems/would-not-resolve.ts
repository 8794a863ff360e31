import { defineProblems } from './define.ts'

/** What is sent, or left out, would leave stacks as they are or resolve them wrongly. */
export const WOULD_NOT_RESOLVE = defineProblems('would-not-resolve', {
  'no-map': {
    severity: 'warning',
    cause: 'A JavaScript file has no source map beside it and names none; stacks from it will stay minified.',
    fix: 'Turn source maps on for it, or leave it out of the upload if it is not yours.',
  },
  'address-taken': {
    severity: 'warning',
    cause:
      'Two different output files have the same deployed address, such as those of a client and a server build; only the first is uploaded.',
    fix: 'Give the outputs different file names, or each build its own minified path prefix.',
  },
  'archive-version-differs': {
    severity: 'warning',
    cause:
      'The archive says which version the developer uploaded to WeChat, and the upload of the source maps says another: stacks of the app would not find the maps.',
    fix: "Upload it under the archive's version, or with --release-version auto, which takes it.",
  },
  'version-differs': {
    severity: 'warning',
    cause:
      'The version of the upload is not the one that the built app reports, so its stacks will not find the files.',
    fix: "Leave the version out to take the app's own, or make both equal.",
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
  'debug-info-missing': {
    severity: 'warning',
    cause: 'A native library has function names but no debug information, so its frames get no file and line.',
    fix: 'Compile with -g (CMake: RelWithDebInfo); the packaged library is stripped all the same.',
  },
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
    fix: 'Use full source maps, not cheap ones that know lines only, and `hires: true` in plugins that use magic-string.',
  },
  'map-incomplete': {
    severity: 'warning',
    cause: 'A file, or a long stretch of it, has no sources in its map; stacks from there stay minified.',
    fix: 'Find the plugin that changes code without giving a map back, or what changed the file after the build.',
  },
  'sources-without-content': {
    severity: 'info',
    cause:
      'A source map names its sources but does not hold their text: stacks resolve to file and line, without the source lines around. The proof has nothing to compare such code with.',
    fix: "To see source lines, and to have them proven, turn the sources' content on: no `nosources` in the source map setting; in TypeScript inlineSources.",
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
  'stack-too-expensive': {
    severity: 'error',
    cause:
      'Resolving the stack took more time or memory than one stack may take, as a damaged symbol file can make it do.',
    fix: 'Run symup check on the symbol files, and build them again if they are damaged. A shorter stack takes less.',
  },
})
