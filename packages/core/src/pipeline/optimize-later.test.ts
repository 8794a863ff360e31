import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { optimizeLater } from './optimize-later.ts'

const set = vi.spyOn(v8, 'setFlagsFromString')
syncBuiltinESMExports()
afterEach(() => {
  set.mockRestore()
  syncBuiltinESMExports()
})

it('of two uploads at once the last to end sets the flag back, and only where V8 has it', () => {
  set.mockImplementation(() => {})
  const ends = [optimizeLater(), optimizeLater()]
  for (const end of ends) end()
  const has = isMainThread && process.versions.v8.startsWith('11.')
  expect(set.mock.calls.flat()).toEqual(has ? ['--interrupt-budget=300000', '--interrupt-budget=67584'] : [])
})
