import type { Reason, ReasonCode } from './frames.ts'

export const REASONS = {
  'no-artifact': {
    cause: 'Nothing was uploaded for this file.',
    fix: 'Upload the source maps for the release, with the service and version that the app reports.',
  },
  'version-mismatch': {
    cause: 'The file was uploaded, but not for the version in the stack.',
    fix: 'Upload the files with the version that the app reports.',
  },
  'service-mismatch': {
    cause: 'The file was uploaded, but not for the service in the stack.',
    fix: 'Upload the files with the service name that the app reports.',
  },
  'prefix-mismatch': {
    cause: 'A file with the same name was uploaded for this service and version, but under another path.',
    fix: 'Upload the files again with the path prefix of the deployed files.',
  },
  'no-mapping-at-position': {
    cause: 'The source map contains no mapping for this position.',
    fix: 'Check that the source map belongs to exactly this file, and that no banner was added after the build.',
  },
  'not-a-project-frame': {
    cause: 'The frame is in the browser, the system, the runtime or an extension, not in the app.',
    fix: '',
  },
  'no-position': {
    cause: 'The frame does not contain a column, and its line contains code from several original lines.',
    fix: 'Report stacks that contain line and column numbers.',
  },
  'map-unusable': {
    cause: 'The uploaded source map cannot be read.',
    fix: 'Build and upload the file again.',
  },
  ambiguous: {
    cause: 'Several uploads match this service and version, but their contents differ.',
    fix: 'Repeat the request with the appid of the mini program.',
  },
  'other-host': {
    cause:
      'The file was uploaded for a different host than the one in the frame. The path is the same, so the frame was resolved.',
    fix: 'If both hosts serve the same build, ignore this message. Otherwise, upload the files for each host with a separate prefix.',
  },
  'appid-mismatch': {
    cause: 'Source maps were uploaded for this release, but not for the mini program in the stack.',
    fix: 'Upload the archive with the appid that the app reports.',
  },
  'layout-mismatch': {
    cause:
      'The mini program platform bundles an app again after the build. The uploaded source maps are from before this step and the stack is from after it, or vice versa.',
    fix: 'Upload the source maps for the scripts in the stack.',
  },
  'mapping-mismatch': {
    cause: 'The frame contains the mapping id of its build, but the uploaded mapping has a different id.',
    fix: 'Upload the mapping file from exactly the build that is running.',
  },
  'not-in-mapping': {
    cause:
      'The mapping does not contain this class. Either the class was not renamed, or the mapping is from another build.',
    fix: 'If the name is readable, ignore this message. Otherwise, upload the mapping file from this exact build.',
  },
  'compiler-generated': {
    cause: 'The compiler generated the code for this frame, so the frame has no source code.',
    fix: '',
  },
  'already-original': {
    cause:
      'The frame already contains the original position, because it is from a debug build or from a server that applies its own source maps.',
    fix: '',
  },
  'names-obfuscated': {
    cause:
      'File and line are known, but names stay obfuscated because no name cache was uploaded with the source maps.',
    fix: 'Upload nameCache.json (obfuscation/nameCache.json in the release build) with the source maps.',
  },
  'not-resolvable-here': {
    cause: 'Frames of this type cannot be resolved with these symbol files.',
    fix: 'Upload the unstripped native libraries for the release.',
  },
  'image-unknown': {
    cause: 'The address does not belong to any binary image in the report.',
    fix: 'Include the list of binary images when you report the stack.',
  },
  'build-id-unknown': {
    cause:
      'The stack does not contain the build-id (or UUID) of the library, and the name of the library is not unique.',
    fix: 'Link with -Wl,--build-id, and report stacks that contain build-ids.',
  },
  'build-id-mismatch': {
    cause: 'A library with that name was uploaded, but its build-id (or UUID) differs, so it is from another build.',
    fix: 'Upload the symbols from the exact build that was deployed. Each rebuild has a new id.',
  },
  'no-debug-info': {
    cause:
      'The uploaded library contains a symbol table but no debug information. The frame resolves to a function name, but not to a file and line.',
    fix: 'Compile with -g, and upload the unstripped library.',
  },
  'split-debug-info': {
    cause:
      'The debug information for this code is in another file, such as a .dwo file. The frame resolves to a function name, but not to a file and line.',
    fix: 'Compile the deployed library with -gno-split-dwarf (in Rust, split-debuginfo = "off") so that the library itself contains the debug information. To resolve stacks on the build machine, use symup explain --dir, which reads .dwo and .dwp files.',
  },
  'kind-not-resolved': {
    cause:
      'The intake stores and lists symbol files of these types (PE, PDB, .NET, IL2CPP), but cannot resolve stacks with them.',
    fix: 'For native code on Windows, convert the PDB with dump_syms, and upload the .sym file with symup electron upload. For .NET and Unity, deploy builds whose stacks contain line numbers.',
  },
  'symbols-unusable': {
    cause: 'The uploaded native symbols cannot be read.',
    fix: 'Build and upload the file again.',
  },
  'minified-file-differs': {
    cause:
      'The running file differs from the file that was uploaded for its path. The debug ids of the files differ, or the stack contains a position past the end of the uploaded file.',
    fix: 'Deploy and upload the output of the same build, and give each build its own version.',
  },
  'uploaded-after-event': {
    cause: 'The source map was uploaded after the event, so the event could not be resolved on arrival.',
    fix: 'Upload the source maps before you release. Events that arrive after the upload are resolved.',
  },
  'out-of-time': {
    cause: 'Reading the symbol files exceeded the time limit for one stack.',
    fix: 'Repeat the request. Symbol files that were already read stay in memory, so the next attempt is faster. If the problem persists, request fewer frames at once.',
  },
} as const satisfies Record<ReasonCode, { cause: string; fix: string }>

export function reason(
  code: ReasonCode,
  message: string = REASONS[code].cause,
  fix: string = REASONS[code].fix,
): Reason {
  return { code, message, fix }
}
