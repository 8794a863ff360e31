import { expect, it } from 'vitest'
import { kernel } from '../formats/source-map/kernel.ts'
import { freeMemory } from './free-memory.ts'

it('gives large memory back, and leaves small buffers and what cannot be given back', () => {
  const own = Buffer.allocUnsafeSlow(200_000)
  freeMemory(own)
  expect(own.buffer.byteLength).toBe(0)
  const pooled = Buffer.from([1, 2, 3])
  freeMemory(pooled)
  expect([...pooled]).toEqual([1, 2, 3])
  // As Node 26 has it for its pool, and WebAssembly for its memory.
  const { buffer } = kernel().window
  const { byteLength } = buffer
  expect(() => freeMemory(kernel().window)).not.toThrow()
  expect(buffer.byteLength).toBe(byteLength)
})
