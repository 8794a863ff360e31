import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { askedTogether } from './asked-together.ts'

/** A query whose answers come when the test gives them. */
function setUp() {
  const sent: { resolve(answer: number): void; reject(error: Error): void }[] = []
  const ask = askedTogether(() => new Promise<number>((resolve, reject) => sent.push({ resolve, reject })))
  return { ask, sent }
}

it('one query serves all that ask in a turn of the event loop, and none that comes later', async () => {
  const { ask, sent } = setUp()
  const first = [ask(), ask()]
  expect(sent).toHaveLength(0)
  await setImmediate()
  expect(sent).toHaveLength(1)
  const later = ask()
  await setImmediate()
  expect(sent).toHaveLength(2)
  sent[0]?.resolve(1)
  sent[1]?.resolve(2)
  expect(await Promise.all([...first, later])).toEqual([1, 1, 2])
})

it('what has been answered is not taken back by an answer that comes late', async () => {
  const { ask, sent } = setUp()
  const early = ask()
  await setImmediate()
  const late = ask()
  await setImmediate()
  sent[1]?.resolve(2)
  expect(await late).toBe(2)
  sent[0]?.resolve(1)
  expect(await early).toBe(2)
})

it('a query that fails, fails for those who asked with it', async () => {
  const { ask, sent } = setUp()
  const [one, two] = [ask(), ask()]
  await setImmediate()
  sent[0]?.reject(new Error('away'))
  await expect(one).rejects.toThrow('away')
  await expect(two).rejects.toThrow('away')
  const next = ask()
  await setImmediate()
  sent[1]?.resolve(1)
  expect(await next).toBe(1)
})
