/** What a pasted text says of itself. */
export interface EventText {
  stack: string
  service?: string
  version?: string
}

const LARGEST_EVENT = 4 * 1024 * 1024
const STACK_FIELDS = ['stack', 'stack_trace', 'stacktrace', 'error_stack']
const SERVICE_FIELDS = ['service', 'service_name', 'serviceName']
const VERSION_FIELDS = ['version', 'release_version', 'releaseVersion', 'app_version']

/**
 * Reads a stack, or an error event in JSON that has one: `{"service", "version", "error": {"stack"}}` and the like, at any depth. What is no JSON is
 * the stack itself.
 */
export function parseEventText(text: string): EventText {
  const trimmed = text.trim()
  if (!/^[{["]/.test(trimmed) || trimmed.length > LARGEST_EVENT) return { stack: text }
  let event: unknown
  try {
    event = JSON.parse(trimmed)
  } catch {
    return { stack: text }
  }
  if (typeof event === 'string') return { stack: event }
  const stack = find(event, STACK_FIELDS)
  if (stack === undefined) return { stack: text }
  const service = find(event, SERVICE_FIELDS)
  const version = find(event, VERSION_FIELDS)
  return { stack, ...(service !== undefined && { service }), ...(version !== undefined && { version }) }
}

/** The first text under one of the names, the nearest to the root. */
function find(root: unknown, names: readonly string[]): string | undefined {
  let level = [root]
  for (let depth = 0; depth < 8 && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const name of names) {
        const field = (value as Record<string, unknown>)[name]
        if (typeof field === 'string' && field !== '') return field
      }
      next.push(...Object.values(value))
    }
    level = next.slice(0, 10_000)
  }
  return undefined
}
