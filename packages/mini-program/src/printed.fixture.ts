import { afterEach, beforeEach, vi } from 'vitest'

/** Holds back what each test of the file prints. @returns what gives that. */
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
