import { type CompiledModule, compileModule, instantiate } from '../web-assembly.ts'
import { WASM } from './deflate.wasm.ts'

/** Most bytes that are compressed at once. */
export const BLOCK_BYTES = 1024 * 1024

/** What a compiled encoder has. Source: assembly/deflate.ts. */
interface Exports {
  memory: { buffer: ArrayBuffer }
  inputAddress(): number
  outputAddress(): number
  deflate(size: number): number
}

let compiled: CompiledModule | undefined

/** Of use in any thread; compiled when first asked for. */
export function deflateModule(): CompiledModule {
  compiled ??= compileModule(WASM)
  return compiled
}

let encode: ((block: Uint8Array) => Buffer) | undefined

/**
 * Compresses up to {@link BLOCK_BYTES} into a part of a deflate stream that ends at a byte's border, is not the last, and refers to nothing before it. About half of the time of zlib
 * at level 4, for as many bytes.
 */
export function deflateBlock(block: Uint8Array): Buffer {
  encode ??= encoder()
  return encode(block)
}

function encoder(): (block: Uint8Array) => Buffer {
  const { memory, inputAddress, outputAddress, deflate } = instantiate<Exports>(deflateModule())
  const input = new Uint8Array(memory.buffer, inputAddress(), BLOCK_BYTES)
  const output = Buffer.from(memory.buffer, outputAddress())
  return (block) => {
    input.set(block)
    return Buffer.from(output.subarray(0, deflate(block.length)))
  }
}
