import type { BinaryImage } from '../resolvers/native/binary-image.ts'
import { address, type Fields, type FrameEvent, fieldsOf, imageLine, list, MAX_FRAMES, text } from './frames.ts'

const DIAGNOSTICS = ['crashDiagnostics', 'hangDiagnostics', 'cpuExceptionDiagnostics', 'diskWriteExceptionDiagnostics']

/**
 * Reads a crash or hang from Apple's MetricKit. The event can be a payload, a single diagnostic, or the stacks of a diagnostic. If a
 * payload contains several diagnostics, the first crash is used.
 * @returns undefined if the event has no stack in MetricKit's format.
 */
export function metricKitEvent(event: unknown): FrameEvent | undefined {
  const root = fieldsOf(event)
  const payload = root.payload === undefined ? root : fieldsOf(root.payload)
  const [diagnostic = payload] = DIAGNOSTICS.flatMap((name) => list(payload[name]))
  const stacks = list(fieldsOf(diagnostic.callStackTree ?? diagnostic).callStacks)
  const stack = stacks.find(({ threadAttributed }) => threadAttributed === true) ?? stacks[0]
  const frames = stack ? framesOf(stack) : []
  if (frames.length === 0) return undefined
  const images = frames.flatMap(imageOf)
  const lines = frames.map((frame, index) => {
    const at = address(frame, 'address') ?? 0
    return imageLine(index, text(frame, 'binaryName') ?? '???', `0x${at.toString(16)}`)
  })
  const version = text(fieldsOf(diagnostic.diagnosticMetaData), 'appVersion') ?? text(diagnostic, 'version')
  return { stack: lines.join('\n'), images, ...(version !== undefined && { version }) }
}

/** MetricKit nests each caller in the frame that it called. In aggregated samples, the first caller has the most samples. */
function framesOf(stack: Fields): Fields[] {
  const frames: Fields[] = []
  let [frame] = list(stack.callStackRootFrames)
  while (frame && frames.length < MAX_FRAMES) {
    frames.push(frame)
    frame = list(frame.subFrames)[0]
  }
  return frames
}

function imageOf(frame: Fields): BinaryImage[] {
  const uuid = text(frame, 'binaryUUID')
  const name = text(frame, 'binaryName')
  const at = address(frame, 'address')
  const offset = address(frame, 'offsetIntoBinaryTextSegment')
  if (uuid === undefined || name === undefined || at === undefined || offset === undefined) return []
  // iOS 14, iOS 15 and macOS 12 report the start address of the image instead of the offset in the image. Offsets are smaller than start
  // addresses.
  return [{ name, uuid, loadAddress: Math.max(offset, at - offset), isSystem: false }]
}
