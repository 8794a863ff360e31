import { once } from 'node:events'
import { expect, it } from 'vitest'
import { earlyThread, FOR_ONE_STACK, startEarly } from './thread.ts'

it('gives the thread that was started early, once', async () => {
  const early = startEarly()
  await once(early.worker, 'message')
  expect(earlyThread(FOR_ONE_STACK)).toBe(early)
  expect(early.isReady()).toBe(true)
  const other = earlyThread(FOR_ONE_STACK)
  expect(other.worker).not.toBe(early.worker)
  expect(other.isReady()).toBe(false)
  await Promise.all([early.worker.terminate(), other.worker.terminate()])
})

it('starts another one where that has ended', async () => {
  const early = startEarly()
  await early.worker.terminate()
  const other = earlyThread(FOR_ONE_STACK)
  expect(other.worker).not.toBe(early.worker)
  await other.worker.terminate()
})
