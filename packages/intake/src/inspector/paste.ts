import { type EventText, parseEventText } from '@symup/symbolicate'
import type { Guess } from './api.ts'

/** What was pasted: a stack as it is, or one taken out of an event or of a browser's network export. */
export interface Pasted extends EventText {
  form: Guess['form']
}

const MAX_HAR = 32 * 1024 * 1024
const MAX_ENTRIES = 5000

interface HarEntry {
  response?: { status?: unknown }
  request?: { postData?: { text?: unknown } }
  _initiator?: { stack?: CallStack }
}

interface CallStack {
  callFrames?: { functionName?: unknown; url?: unknown; lineNumber?: unknown; columnNumber?: unknown }[]
  parent?: CallStack
}

/** Never throws, whatever the text is. */
export function readPasted(text: string): Pasted {
  const entries = harEntries(text)
  if (entries) return { form: 'har', ...(reportedIn(entries) ?? { stack: initiatorIn(entries) }) }
  const event = parseEventText(text)
  return { form: event.stack === text ? 'stack' : 'event', ...event }
}

function harEntries(text: string): HarEntry[] | undefined {
  if (text.length > MAX_HAR || !/^\s*\{/.test(text) || !text.includes('"entries"')) return undefined
  try {
    const { log } = JSON.parse(text) as { log?: { entries?: unknown } }
    return Array.isArray(log?.entries) ? log.entries.filter((it) => it !== null).slice(0, MAX_ENTRIES) : undefined
  } catch {
    return undefined
  }
}

/** An error that the page sent to whoever collects them. */
function reportedIn(entries: readonly HarEntry[]): EventText | undefined {
  for (const { request } of entries) {
    const sent = request?.postData?.text
    if (typeof sent !== 'string' || !sent.includes('stack')) continue
    for (const line of [sent, ...sent.split('\n')]) {
      const event = parseEventText(line)
      if (event.stack !== line) return event
    }
  }
  return undefined
}

/** Who made the request that failed, or else the first one that says who made it. */
function initiatorIn(entries: readonly HarEntry[]): string {
  const made = entries.filter(({ _initiator }) => Array.isArray(_initiator?.stack?.callFrames))
  const failed = made.find(({ response }) => !(Number(response?.status) > 0 && Number(response?.status) < 400))
  const lines: string[] = []
  let stack = (failed ?? made[0])?._initiator?.stack
  for (let depth = 0; stack && depth < 20; depth++, stack = stack.parent) {
    for (const { functionName, url, lineNumber, columnNumber } of stack.callFrames ?? []) {
      // The protocol counts from 0, a stack from 1.
      const position = `${String(url)}:${Number(lineNumber) + 1}:${Number(columnNumber) + 1}`
      lines.push(functionName ? `    at ${String(functionName)} (${position})` : `    at ${position}`)
    }
  }
  return lines.join('\n')
}
