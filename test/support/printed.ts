import { vi } from 'vitest'

/** The lines that go to the console from now on, which shows none of them; `vi.restoreAllMocks()` ends that. */
export function printedLines(): string[] {
  const lines: string[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(String(line)))
  return lines
}
