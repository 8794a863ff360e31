import { type BinaryImage, formatUuid, isSystemPath, MAX_IMAGES } from './binary-image.ts'
import { NATIVE_FRAMES_READ, type NativeRawFrame } from './native-stack.ts'

export function isJsonReport(text: string): boolean {
  return text.trimStart().startsWith('{') && text.includes('"usedImages"')
}

interface JsonFrame {
  imageIndex?: unknown
  imageOffset?: unknown
  symbol?: unknown
}

/**
 * Returns the frames in a `.ips` file, which consists of a JSON header line followed by a JSON document.
 * @param given images that are not listed in the report.
 */
export function parseJsonReport(text: string, given: readonly BinaryImage[]): NativeRawFrame[] {
  const report = readDocument(text)
  const used: unknown[] = Array.isArray(report.usedImages) ? report.usedImages.slice(0, MAX_IMAGES) : []
  const threads: unknown[] = Array.isArray(report.threads) ? report.threads : []
  const crashed = threads.filter((thread) => (thread as { triggered?: unknown } | null)?.triggered === true)
  const faulting = crashed[0] ?? threads[Number(report.faultingThread ?? 0)]
  const exception = framesIn(report.lastExceptionBacktrace).map((frame) => ({ frame, isReturn: true }))
  const thread = framesIn((faulting as { frames?: unknown } | null | undefined)?.frames)
  const frames = [...exception, ...thread.map((frame, index) => ({ frame, isReturn: index > 0 }))]
  return frames.slice(0, NATIVE_FRAMES_READ).map(({ frame, isReturn }, index) => {
    const offset = Number.isSafeInteger(frame.imageOffset) ? (frame.imageOffset as number) : 0
    const image = imageOf(used[Number(frame.imageIndex)])
    const at = (image?.loadAddress ?? 0) + offset
    const symbol = typeof frame.symbol === 'string' ? frame.symbol : undefined
    const known =
      given.find(({ loadAddress, maxAddress = loadAddress }) => at >= loadAddress && at <= maxAddress) ?? image
    return {
      raw: `${index} ${image?.name ?? '???'} 0x${at.toString(16)}${symbol === undefined ? '' : ` ${symbol}`}`,
      ...(symbol !== undefined && { function: symbol }),
      address: `0x${at.toString(16)}`,
      module: known?.name ?? '???',
      offset: known ? at - known.loadAddress : at,
      from: 'image',
      isReturn,
      ...(known && known.uuid !== '' ? { id: formatUuid(known.uuid), isSystem: known.isSystem } : { isOutside: true }),
      ...(known?.arch !== undefined && { arch: known.arch }),
    }
  })
}

function readDocument(text: string): Record<string, unknown> {
  const trimmed = text.trim()
  const line = trimmed.indexOf('\n')
  for (const candidate of [trimmed.slice(line + 1), trimmed]) {
    try {
      const parsed: unknown = JSON.parse(candidate)
      if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
    } catch {
      // Try the next candidate.
    }
  }
  return {}
}

function framesIn(value: unknown): JsonFrame[] {
  return Array.isArray(value) ? value.filter((frame) => typeof frame === 'object' && frame !== null) : []
}

function imageOf(value: unknown): BinaryImage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { uuid, base, path, name, arch } = value as Record<string, unknown>
  const file = typeof name === 'string' ? name : typeof path === 'string' ? (path.split('/').at(-1) as string) : '???'
  return {
    name: file,
    uuid: typeof uuid === 'string' && /[1-9a-f]/i.test(uuid) ? uuid : '',
    loadAddress: typeof base === 'number' ? base : 0,
    isSystem: typeof path === 'string' && isSystemPath(path),
    ...(typeof arch === 'string' && { arch }),
  }
}
