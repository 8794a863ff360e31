import { textUpTo } from '../../read-limits.ts'
import { stackLines } from '../../stack-lines.ts'
import { type Chain, type Chooser, createChooser, type OriginalFrame } from './choose.ts'
import type { MappedClass } from './mapped-class.ts'
import type { MappingIndex } from './mapping-index.ts'
import type { MethodEntry } from './mapping-line.ts'
import { withOriginalClasses } from './message-classes.ts'
import { type ExceptionChoice, type JvmException, type JvmFrame, type JvmLine, parseJvmLine } from './parse-line.ts'

export type RetracedLine =
  | {
      kind: 'text'
      line: JvmLine
      className?: string
      /** The message with original names, or the whole line if it has no exception class. Set only if the text contains renamed classes. */
      message?: string
    }
  | RetracedFrame

export interface RetracedFrame {
  kind: 'frame'
  line: JvmFrame
  className?: string
  file?: string
  /** The original frames, innermost first. There are several chains if the stack is ambiguous. */
  chains: PlacedFrame[][]
  /**
   * The reason why there are no chains. `line`: the mapping contains the class but not the line. `compiler`: the compiler generated the
   * frame. `time`: the time limit was reached.
   */
  gap?: 'line' | 'compiler' | 'time'
}

export interface PlacedFrame extends OriginalFrame {
  file: string
}

export const MAX_LINES = 20_000
export const MAX_STACK = 4 * 1024 * 1024

interface Context {
  /** The obfuscated and original names of the exception on the line above. */
  thrown?: readonly string[]
  /** Set if the line above is a frame in outlined code. */
  outline?: {
    line: number
    frame: JvmFrame
    signatures: string[]
  }
}

/**
 * @param isLate called before each frame. Once `isLate` returns true, the remaining frames are marked as out of time.
 * @throws MappingError if the mapping is invalid, or the file system error if it cannot be read.
 */
export async function retraceLines(
  stack: string,
  index: MappingIndex,
  isLate: () => boolean = () => false,
): Promise<RetracedLine[]> {
  const retraced: RetracedLine[] = []
  const chooser = createChooser()
  let context: Context = {}
  let isMessage = false
  const choose: ExceptionChoice = (candidates, others) => chosenException(candidates, others, index)
  for (const text of stackLines(textUpTo(stack, MAX_STACK), MAX_LINES)) {
    if (retraced.length === MAX_LINES) break
    const line = parseJvmLine(text, choose)
    if (line.kind === 'frame') {
      if (isLate()) {
        retraced.push({ kind: 'frame', line, chains: [], gap: 'time' })
        continue
      }
      isMessage = false
      const step = await retraceFrame(line, index, context, chooser)
      retraced.push(step.frame)
      context = step.outline ? { outline: step.outline } : {}
      continue
    }
    const isException = line.kind === 'exception'
    const className = isException ? index.originalName(line.className) : undefined
    // Messages can have several lines.
    isMessage = isException
      ? className !== undefined || line.className.includes('.')
      : isMessage && line.text.trim() !== ''
    const message = isMessage ? withOriginalClasses(isException ? line.after : line.text, index) : undefined
    retraced.push({
      ...{ kind: 'text', line },
      ...(className !== undefined && { className }),
      ...(message !== undefined && { message }),
    })
    context = isException ? { thrown: namesOf(line, className) } : {}
  }
  return retraced
}

/** Chooses the leftmost name that was renamed or has a package. The names after it may be part of the message. */
function chosenException(
  ...[candidates, others, { originalName }]: [...Parameters<ExceptionChoice>, MappingIndex]
): JvmException | undefined {
  const isLikely = ({ className }: JvmException) => className.includes('.') || originalName(className) !== undefined
  const isSure = ({ className, after }: JvmException) =>
    after !== '' && className.includes('.') && originalName(className) !== undefined
  const likely = candidates.find(isLikely)
  const other = others.find(({ exception, isBehindHead }) => (isBehindHead ? isLikely : isSure)(exception))?.exception
  if (!likely || !other) return likely ?? other ?? candidates[0]
  return likely.before.length < other.before.length ? likely : other
}

function namesOf({ className }: JvmException, original: string | undefined): string[] {
  return original === undefined ? [className] : [className, original]
}

interface Step {
  frame: RetracedFrame
  outline?: Context['outline']
}

async function retraceFrame(
  line: JvmFrame,
  index: MappingIndex,
  context: Context,
  chooseChains: Chooser,
): Promise<Step> {
  const named = await index.find(line.className)
  // The JVM appends `$$Lambda` to the name of the enclosing class. Classes such as `-$$Lambda$ucBv` from D8 are in the mapping themselves.
  const hidden = named ? null : /^(.+?)(\$\$Lambda.*)$/.exec(line.className)
  const mapped = named ?? (hidden ? await index.find(hidden[1] as string) : undefined)
  if (!mapped) return { frame: { kind: 'frame', line, chains: [] } }
  const className = mapped.original + (hidden?.[2] ?? '')
  const file = mapped.sourceFile ?? likelySourceFile(mapped.original, line.file)
  const frame: RetracedFrame = { kind: 'frame', line, className, file, chains: [] }
  if (hidden || !mapped.methods.has(line.method)) return { frame }

  // Runtimes report unknown lines as negative numbers.
  const reported = line.line !== undefined && line.line >= 0 ? line.line : undefined
  let chains = chooseChains(mapped, line.method, reported)
  if (chains.length === 0) return { frame: { ...frame, gap: 'line' } }
  const callSite = context.outline && callSiteLine(chains, context.outline)
  const at = callSite ?? reported
  if (callSite !== undefined) {
    const there = chooseChains(mapped, line.method, callSite)
    if (there.length > 0) chains = there
  }
  const outlines = chains.flatMap(({ outline }) => (outline ? [outline] : []))
  const kept = chains.map((chain) => visibleFrames(chain, context))
  const visible = kept.filter((frames) => frames.length > 0)
  const placed: PlacedFrame[][] = []
  for (const frames of visible) placed.push(await placeFrames(frames, line, mapped, index))
  return {
    frame: { ...frame, chains: distinct(placed), ...(visible.length === 0 && { gap: 'compiler' }) },
    ...(outlines.length > 0 && at !== undefined && { outline: { line: at, frame: line, signatures: outlines.flat() } }),
  }
}

/** Returns the line of the outline's call site. The mapping stores the call site with the caller's line. */
function callSiteLine(chains: readonly Chain[], outline: NonNullable<Context['outline']>): number | undefined {
  const sites = chains.flatMap(({ entries }) => entries.flatMap(({ info }) => info?.callSite ?? []))
  const site = sites.find((it) => it.outline === undefined || isOutline(it.outline, outline))
  return site?.positions.get(outline.line)
}

/** @param descriptor the descriptor of the obfuscated method, such as `La/b;c(I)V`. */
function isOutline(descriptor: string, { frame, signatures }: NonNullable<Context['outline']>): boolean {
  const start = `L${frame.className.replaceAll('.', '/')};${frame.method}`
  if (signatures.length > 0) return signatures.some((signature) => descriptor === start + signature)
  return descriptor.startsWith(`${start}(`)
}

/** Removes frames that the original program did not have: compiler-generated methods, and frames to which a rewrite rule applies. */
function visibleFrames({ frames, entries }: Chain, { thrown }: Context): OriginalFrame[] {
  const removed = thrown === undefined ? 0 : removedInnerFrames(entries, thrown)
  return frames.filter((frame, index) => index >= removed && !frame.synthesized)
}

function removedInnerFrames(entries: readonly MethodEntry[], thrown: readonly string[]): number {
  const rules = entries.flatMap(({ info }) => info?.rewrites ?? [])
  const rule = rules.find(({ throws }) => throws.every((name) => thrown.includes(name)))
  return rule === undefined || rule.removeInnerFrames >= entries.length ? 0 : rule.removeInnerFrames
}

async function placeFrames(
  frames: readonly OriginalFrame[],
  line: JvmFrame,
  mapped: MappedClass,
  index: MappingIndex,
): Promise<PlacedFrame[]> {
  const placed: PlacedFrame[] = []
  for (const frame of frames) {
    const written = frame.className === mapped.original ? mapped.sourceFile : await index.sourceFileOf(frame.className)
    placed.push({ ...frame, file: written ?? likelySourceFile(frame.className, line.file) })
  }
  return placed
}

/**
 * Guesses the source file of a class in the same way as R8's retrace: the name of the outermost class with the extension `.java` or `.kt`.
 * For Compose lambdas, the prefix `ComposableSingletons$` is ignored.
 */
function likelySourceFile(className: string, reported: string): string {
  const simple = className.slice(className.lastIndexOf('.') + 1).replace(/^ComposableSingletons\$(?=.)/, '')
  const outer = simple.startsWith('$') ? simple : (simple.split('$', 1)[0] as string)
  if (outer.endsWith('Kt') && outer.length > 2) return `${outer.slice(0, -2)}.kt`
  return `${outer}${reported.endsWith('.kt') ? '.kt' : '.java'}`
}

function distinct(chains: PlacedFrame[][]): PlacedFrame[][] {
  const seen = new Set<string>()
  return chains.filter((frames) => {
    const key = JSON.stringify(frames)
    return !seen.has(key) && seen.add(key)
  })
}
