import { afterEach, beforeEach, vi } from 'vitest'

/** Captures console output from now on and suppresses it. */
function caught(lines: string[] = []) {
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...words) => void lines.push(words.join(' '))),
  )
  return { lines, spies }
}

/** The lines that go to the console until `vi.restoreAllMocks()`. */
export function printedLines(): string[] {
  return caught().lines
}

/** The lines that go to the console in each test of a file, which starts with none. */
export function usePrintedLines(): string[] {
  const lines: string[] = []
  beforeEach(() => {
    lines.length = 0
    caught(lines)
  })
  afterEach(() => void vi.restoreAllMocks())
  return lines
}

/** Runs something and returns its console output. */
export async function logged(run: () => Promise<unknown>): Promise<string> {
  const { lines, spies } = caught()
  try {
    await run()
    return lines.join('\n')
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
