import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { repeated } from './repeated.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('starts no second run before the first one ends, and stops with it', async () => {
  const ends: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const end = repeated(work, 1000)
  await vi.advanceTimersByTimeAsync(3000)
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(1000)
  expect(work).toHaveBeenCalledTimes(2)

  let hasEnded = false
  const ended = end().then(() => {
    hasEnded = true
  })
  await vi.advanceTimersByTimeAsync(5000)
  expect(hasEnded).toBe(false)
  ends[1]?.()
  await ended
  expect(work).toHaveBeenCalledTimes(2)
})
