import type { Reason, ReasonCode } from './frames.ts'

/** Every reason why a frame stays unresolved, listed once, in the form of the problem codes. */
export const REASONS = {
  'no-artifact': {
    cause: 'Nothing was uploaded for this file.',
    fix: 'Upload the source maps of the release, with the service and version that the app reports.',
  },
  'version-mismatch': {
    cause: 'The file was uploaded, but for other versions of the service than the stack names.',
    fix: 'Make the version of the upload equal to the one that the app reports.',
  },
  'service-mismatch': {
    cause: 'The file was uploaded, but for another service than the stack names.',
    fix: 'Make the service of the upload equal to the one that the app reports.',
  },
  'prefix-mismatch': {
    cause: 'A file of that name was uploaded for this service and version, but under another path.',
    fix: 'Upload again with the path prefix under which the files are deployed.',
  },
  'no-mapping-at-position': {
    cause: 'The source map has nothing for this position.',
    fix: 'Check that the map belongs to exactly this file, and that no banner was added after the build.',
  },
  'not-a-project-frame': {
    cause: 'The frame is in the browser, the runtime or an extension, not in the app.',
    fix: '',
  },
  'no-position': {
    cause: 'The frame has no column, and its line holds more than one original line.',
    fix: 'Report stacks with line and column.',
  },
  'map-unusable': {
    cause: 'The uploaded source map cannot be read.',
    fix: 'Build and upload the file again.',
  },
  ambiguous: {
    cause: 'More than one upload of this service and version fits, and their contents differ.',
    fix: 'Ask with the appid of the mini program.',
  },
  'appid-mismatch': {
    cause: 'The release was uploaded, but for other mini programs than the stack names.',
    fix: 'Make the appid of the upload equal to the one that the app reports.',
  },
  'layout-mismatch': {
    cause: "The maps and the stack are from different sides of the host's bundling.",
    fix: 'Upload the maps of the scripts that the stack names.',
  },
} as const satisfies Record<ReasonCode, { cause: string; fix: string }>

export function reason(
  code: ReasonCode,
  message: string = REASONS[code].cause,
  fix: string = REASONS[code].fix,
): Reason {
  return { code, message, fix }
}
