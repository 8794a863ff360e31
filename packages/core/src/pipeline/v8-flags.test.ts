import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { optimizeLater, tuneForUpload } from './v8-flags.ts'

const set = vi.spyOn(v8, 'setFlagsFromString')
syncBuiltinESMExports()
beforeEach(() => {
  set.mockReset().mockImplementation(() => {})
})
afterEach(() => vi.unstubAllEnvs())

const isOld = process.versions.v8.startsWith('11.')
const later = isOld ? ['--interrupt-budget=300000'] : []
const usual = isOld ? ['--interrupt-budget=67584'] : []

describe.runIf(isMainThread)('flags of V8 while something runs', () => {
  it('optimizes later, and as usual again when it is over', () => {
    optimizeLater()()
    expect(set.mock.calls.flat()).toEqual([...later, ...usual])
  })

  it('of two uploads at once the last to end sets the flags back', () => {
    const ends = [tuneForUpload(), tuneForUpload()]
    ends[0]?.()
    const small = ['--semi-space-growth-factor=1', '--max-inlined-bytecode-size-cumulative=200']
    expect(set.mock.calls.flat()).toEqual([...later, ...small])
    ends[1]?.()
    const back = ['--semi-space-growth-factor=2', '--max-inlined-bytecode-size-cumulative=920']
    expect(set.mock.calls.flat()).toEqual([...later, ...small, ...usual, ...back])
  })

  it('listens once, however many uploads run at once: Node warns of more than ten listeners', () => {
    const before = process.listenerCount('worker')
    const ends = Array.from({ length: 12 }, () => tuneForUpload())
    expect(process.listenerCount('worker')).toBe(before + 1)
    for (const end of ends) end()
    expect(process.listenerCount('worker')).toBe(before)
  })

  it('is no failure where the runtime has no flags, as Bun 1.3 has none', () => {
    set.mockImplementation(() => {
      throw new Error('node:v8 setFlagsFromString is not yet implemented in Bun.')
    })
    expect(() => tuneForUpload()()).not.toThrow()
  })

  it('leaves alone what the process was started with', () => {
    vi.stubEnv('NODE_OPTIONS', '--semi_space_growth_factor=4 --interrupt-budget=1')
    tuneForUpload()()
    expect(set.mock.calls.flat()).toEqual([
      '--max-inlined-bytecode-size-cumulative=200',
      '--max-inlined-bytecode-size-cumulative=920',
    ])
  })

  it('keeps the heap small where a thread starts meanwhile, and not afterwards', () => {
    const end = tuneForUpload()
    const [during, late, after] = [new EventEmitter(), new EventEmitter(), new EventEmitter()]
    set.mockClear()
    process.emit('worker', during as never)
    process.emit('worker', late as never)
    during.emit('online')
    expect(set.mock.calls.flat()).toEqual(['--semi-space-growth-factor=1'])
    end()
    set.mockClear()
    process.emit('worker', after as never)
    after.emit('online')
    late.emit('online')
    expect(set).not.toHaveBeenCalled()
  })
})
