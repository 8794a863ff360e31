import { expect, it, vi } from 'vitest'
import { LostMaps } from '../lost-maps.ts'
import { type BundleOutput, outputOf } from '../output.ts'
import { enterGroup, settle, type Task } from './compiler-group.ts'

type Tap = (tap: { name: string }) => unknown
const compiler = () => {
  const taps: Tap[] = []
  return { taps, hooks: { done: { intercept: ({ register }: { register: Tap }) => taps.push(register) } } }
}
/** Builds compilers together. */
const together = <Compilers extends readonly ReturnType<typeof compiler>[]>(...compilers: Compilers): Compilers => {
  for (const one of compilers) enterGroup(one)
  for (const one of compilers) for (const tap of one.taps) tap({ name: 'MultiCompiler' })
  return compilers
}
const pair = () => together(compiler(), compiler())
const taskOf = (directory: string, finish: (...outputs: BundleOutput[]) => void, more: Partial<Task> = {}): Task => ({
  output: outputOf(directory),
  settings: { options: {}, prefix: undefined, root: '/app' },
  lostMaps: new LostMaps(),
  finish: async ({ outputs }) => finish(...outputs),
  abandon: () => undefined,
  ...more,
})
/** An output directory with a script that both compilers share, and one script for each. */
const sharing = (own: string): BundleOutput =>
  outputOf('/app/dist', [own, `${own}.map`, 'shared.js', 'shared.js.map'], {
    maps: new Map([[own, `${own}.map`]]),
    copied: new Set([`${own}.txt`]),
    deletes: true,
  })

it('finishes compilers that are built together after the last one, in one run if their settings are equal', async () => {
  const [a, b] = pair()
  const done: string[][] = []
  const finish = (...outputs: BundleOutput[]) => done.push(outputs.map(({ directory }) => directory))
  await settle(a, taskOf('/a', finish))
  expect(done).toEqual([])
  await settle(b, taskOf('/b', finish))
  expect(done).toEqual([['/a', '/b']])
  // The next build also works if one compiler has no output.
  await settle(b, 'nothing')
  await settle(a, taskOf('/a', finish))
  expect(done).toEqual([['/a', '/b'], ['/a']])
})

it('finishes no compiler if one failed', async () => {
  const [a, b, c] = together(compiler(), compiler(), compiler())
  const finish = vi.fn()
  const abandon = vi.fn()
  await settle(a, taskOf('/a', finish, { abandon }))
  // The group abandons the task at once, because the third compiler may never run.
  await settle(b, 'failed')
  expect(abandon).toHaveBeenCalled()
  await settle(c, taskOf('/c', finish))
  expect(finish).not.toHaveBeenCalled()
})

it('finishes the other compilers if one cannot be finished, and fails with its error', async () => {
  const [a, b] = pair()
  const finish = vi.fn()
  const refused = () => {
    throw new Error('refused')
  }
  const settings = { options: {}, prefix: undefined, root: '/other' }
  await settle(a, taskOf('/a', refused))
  await expect(settle(b, taskOf('/b', finish, { settings }))).rejects.toThrow('refused')
  expect(finish).toHaveBeenCalledOnce()
})

it('does not let unrelated compilers wait for each other', async () => {
  const alone = compiler()
  pair()
  enterGroup(alone)
  for (const tap of alone.taps) expect(tap({ name: 'Stats' })).toEqual({ name: 'Stats' })
  const finish = vi.fn()
  await settle(alone, taskOf('/c', finish))
  expect(finish).toHaveBeenCalledOnce()
  await settle(compiler(), taskOf('/c', finish))
  expect(finish).toHaveBeenCalledOnce()
})

it('finishes the output of compilers with equal settings in one directory in one run', async () => {
  const [a, b] = pair()
  const finish = vi.fn()
  await settle(a, taskOf('/app/dist', finish, { output: sharing('a.js') }))
  await settle(b, taskOf('/app/dist', finish, { output: sharing('b.js') }))
  expect(finish).toHaveBeenCalledOnce()
  const [{ files, deletable, maps, copied }] = finish.mock.lastCall as [BundleOutput]
  expect([...files].sort()).toEqual(['a.js', 'a.js.map', 'b.js', 'b.js.map', 'shared.js', 'shared.js.map'])
  expect([...deletable].sort()).toEqual(['a.js.map', 'b.js.map', 'shared.js.map'])
  expect([...maps.keys()]).toEqual(['a.js', 'b.js'])
  expect([...(copied ?? [])]).toEqual(['a.js.txt', 'b.js.txt'])
})

it.each<[string, Partial<Task['settings']>]>([
  ['options', { options: { service: 'other' } }],
  ['a different prefix', { prefix: { value: '/other/', from: 'publicPath' } }],
  ['a different project', { root: '/other' }],
])(
  'finishes a compiler with %s separately from others in one directory, and the last one deletes shared maps',
  async (_, own) => {
    const [a, b] = pair()
    const seen: BundleOutput[] = []
    const finish = (output: BundleOutput) => void seen.push(output)
    const task = taskOf('/app/dist', finish, { output: sharing('b.js') })
    await settle(a, taskOf('/app/dist', finish, { output: sharing('a.js') }))
    await settle(b, { ...task, settings: { ...task.settings, ...own } })
    expect(seen.map(({ deletable }) => [...deletable])).toEqual([['a.js.map'], ['b.js.map', 'shared.js.map']])
    expect(seen.map(({ leftToOthers }) => [...(leftToOthers ?? [])])).toEqual([['shared.js.map'], []])
    expect(seen.map(({ files }) => files.has('shared.js.map'))).toEqual([true, true])
  },
)
