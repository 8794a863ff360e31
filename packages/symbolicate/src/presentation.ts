// The terminal output and the inspector page share this file. The file has no imports because it also runs in browsers.

interface Reason {
  code: string
  message: string
  fix: string
}

interface Reasoned {
  reason?: Reason | undefined
}

/** Reasons that require no action. */
const SETTLED: ReadonlySet<string> = new Set(['not-a-project-frame', 'compiler-generated', 'already-original'])

export function isSettled({ reason }: Reasoned): boolean {
  return reason !== undefined && SETTLED.has(reason.code)
}

const LIBRARY = /(?:^|\/)(?:node_modules|oh_modules)\//

export function isLibraryFile(file: string): boolean {
  return LIBRARY.test(file)
}

export interface Cause<Frame> {
  code: string
  fix: string
  messages: string[]
  frames: Frame[]
  /** Whether the cause left frames unresolved. False if the frames were resolved only partially. */
  isFailure: boolean
}

/** Groups frames by cause, starting with the causes that left frames unresolved. */
export function causesOf<Frame extends Reasoned>(
  frames: readonly Frame[],
  isResolved: (frame: Frame) => boolean,
): Cause<Frame>[] {
  const causes = new Map<string, Cause<Frame>>()
  for (const frame of frames) {
    if (!frame.reason || isSettled(frame)) continue
    const { code, fix, message } = frame.reason
    const isFailure = !isResolved(frame)
    const key = `${isFailure}\n${code}\n${fix}`
    const cause = causes.get(key) ?? { code, fix, messages: [], frames: [], isFailure }
    causes.set(key, cause)
    cause.frames.push(frame)
    if (!cause.messages.includes(message)) cause.messages.push(message)
  }
  return [...causes.values()].sort((a, b) => Number(b.isFailure) - Number(a.isFailure))
}

export interface FrameGroup<Frame> {
  start: number
  isFolded: boolean
  frames: Frame[]
}

/** Groups frames without changing their order. Consecutive frames that should be collapsed are in the same group. */
export function groupsOf<Frame>(frames: readonly Frame[], folds: (frame: Frame) => boolean): FrameGroup<Frame>[] {
  const groups: FrameGroup<Frame>[] = []
  for (const [start, frame] of frames.entries()) {
    const isFolded = folds(frame)
    const last = groups.at(-1)
    if (last?.isFolded === isFolded) last.frames.push(frame)
    else groups.push({ start, isFolded, frames: [frame] })
  }
  return groups
}
