import { afterEach, beforeEach, vi } from 'vitest'

/** Captures the output of each test. @returns a function that returns the captured text. */
export function usePrinted(): () => string {
  let printed = ''
  beforeEach(() => {
    printed = ''
    const write = (text: unknown) => {
      printed += text
      return true
    }
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(write)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return () => printed
}
