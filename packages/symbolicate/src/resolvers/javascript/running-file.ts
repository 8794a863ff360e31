import type { ScriptArtifact } from '../../artifacts.ts'
import type { Reason, ResolvedFrame } from '../../frames.ts'
import { reason } from '../../reasons.ts'
import { columnsIn, scriptLines } from './function-names.ts'
import type { SourceMap } from './source-map.ts'

/** Returns a reason if a position is not in the script. The position just past the end of a line is valid. */
export function beyondTheEnd(path: string, map: SourceMap, line: number, column: number): Reason | undefined {
  if (line === 0)
    return reason('no-position', `The stack contains the position ${line}:${column}, but line numbers start at 1.`)
  const lines = scriptLines(map)
  if (lines === 0) return undefined
  const length = columnsIn(map, line)
  if (column <= (length ?? -1) + 1) return undefined
  return reason(
    'minified-file-differs',
    length === undefined
      ? `The stack contains the position ${line}:${column}, but the uploaded file ${path} ends at line ${lines}.`
      : `The stack contains the position ${line}:${column}, but this line in the uploaded file ${path} ends at column ${length}.`,
  )
}

export function otherDebugId(path: string, running: string, uploaded: string): Reason {
  return reason(
    'minified-file-differs',
    `The event contains the debug id ${running}, but the uploaded file ${path} contains ${uploaded}.`,
  )
}

export function lateUpload({ uploadedAt }: ScriptArtifact, eventTime: number | undefined): Reason | undefined {
  if (uploadedAt === undefined || eventTime === undefined || uploadedAt <= eventTime) return undefined
  const [happened, uploaded] = [eventTime, uploadedAt].map((time) => new Date(time).toISOString())
  return reason(
    'uploaded-after-event',
    `The event occurred at ${happened}, but the files were uploaded at ${uploaded}.`,
  )
}

export function filesUnavailable({ path, uploadedAt, unavailableFix = '' }: ScriptArtifact): [string, string] {
  const message =
    uploadedAt === undefined
      ? `${path} was uploaded, but its source map is not on this machine.`
      : `${path} was uploaded at ${new Date(uploadedAt).toISOString()}, but its source map is not on this machine.`
  return [message, unavailableFix]
}

/**
 * Returns a function that keeps the reason on the first resolved frame of each file and removes the reason from the file's other resolved
 * frames.
 */
export function onceAFile(): (frame: ResolvedFrame) => ResolvedFrame {
  const told = new Set<string | undefined>()
  return (frame) => {
    if (frame.resolved === null || frame.reason === undefined) return frame
    if (!told.has(frame.file)) {
      told.add(frame.file)
      return frame
    }
    const { reason: _, ...rest } = frame
    return rest
  }
}
