import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { constants, createDeflateRaw } from 'node:zlib'
import { BLOCK_BYTES, deflateBlock, deflateModule } from '../formats/deflate/deflate.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { compressOnce, outputBytes, POOL_THREADS } from './compress.ts'
import { Reused } from './reused.ts'

/** Compresses the blocks that request bodies are cut into: each a part of a deflate stream that ends at a byte's border and refers to nothing before it. */
export interface Deflater {
  /** Blocks that are worth being under way at a time. There are no more of them, however many bodies are. */
  readonly atOnce: number
  /** Memory for a block: {@link BLOCK_BYTES}, which belong to whoever waited for them until they are given to `deflate` or `release`. */
  take(): Promise<Buffer>
  deflate(block: Buffer, length: number): Promise<Buffer[]>
  release(block: Buffer): void
  /** Nothing is under way any more, or nobody waits for it. */
  close(): void
}

/** A run with more than this, in bytes, has threads that compress: one takes some 70 ms of CPU and 20 MB. */
const WORTH_A_THREAD = 64 * 1024 * 1024
const MAX_THREADS = 4
/** What cannot be compressed becomes a little longer: there is room for that behind the block. */
const ROOM_BYTES = 4096

function newBlock(): Buffer {
  return Buffer.allocUnsafeSlow(BLOCK_BYTES + ROOM_BYTES).subarray(0, BLOCK_BYTES)
}

/**
 * With symup's own encoder, in threads of its own where there is much to do.
 * @param totalBytes of all bodies, before compression. @param isBusy whether this thread has other work meanwhile; a run without does not need another.
 */
export function openDeflater(totalBytes: number, isBusy: boolean): Deflater {
  if (totalBytes <= WORTH_A_THREAD || !isBusy) return withBlocks(1, here)
  const count = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1))
  let threads: Thread[] | undefined
  const close = () => {
    for (const thread of threads ?? []) thread.end()
  }
  const act: Act = (block, length) => {
    threads ??= startThreads(count)
    const [least] = threads.filter(({ hasEnded }) => !hasEnded).sort((a, b) => a.waiting - b.waiting)
    return least ? least.deflate(block, length) : here(block, length)
  }
  return withBlocks(count + 1, act, close)
}

/** With zlib, in Node's thread pool. */
export function zlibDeflater(level: number): Deflater {
  return withBlocks(POOL_THREADS, async (block, length) => {
    const chunkSize = outputBytes(length)
    const engine = createDeflateRaw({ level, memLevel: 9, flush: constants.Z_SYNC_FLUSH, chunkSize })
    return { pieces: await compressOnce(engine, block.subarray(0, length)), block }
  })
}

/** May give the block's memory back as another buffer. */
type Act = (block: Buffer, length: number) => Promise<{ pieces: Buffer[]; block: Buffer }>

async function here(block: Buffer, length: number): Promise<{ pieces: Buffer[]; block: Buffer }> {
  return { pieces: [deflateBlock(block.subarray(0, length))], block }
}

function withBlocks(atOnce: number, act: Act, close?: () => void): Deflater {
  // One more is filled while the others are compressed. A fresh one costs a page fault each 4 KB.
  const blocks = new Reused(atOnce + 1, newBlock)
  return {
    atOnce,
    take: () => blocks.take(),
    release: (block) => blocks.give(block),
    async deflate(given, length) {
      try {
        const { pieces, block } = await act(given, length)
        blocks.give(block)
        return pieces
      } catch (error) {
        // A thread that ended took its blocks along.
        blocks.give(newBlock())
        throw error
      }
    },
    close() {
      for (const block of blocks.drain()) freeMemory(block)
      close?.()
    },
  }
}

/** As text: whoever bundles this package need not carry a file for it along. The block's memory goes there and back: what a thread allocates itself it does not give back soon. */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const { memory, inputAddress, outputAddress, deflate } = new WebAssembly.Instance(workerData).exports
const input = new Uint8Array(memory.buffer, inputAddress())
const output = new Uint8Array(memory.buffer, outputAddress())
parentPort.on('message', ({ memory, length }) => {
  const bytes = new Uint8Array(memory)
  input.set(bytes.subarray(0, length))
  const deflated = deflate(length)
  bytes.set(output.subarray(0, deflated))
  parentPort.postMessage({ memory, deflated }, [memory])
})
`
/** The thread's JavaScript needs next to nothing, in MB. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

interface Done {
  memory: ArrayBuffer
  /** Bytes at its start. */
  deflated: number
}

class Thread {
  readonly #worker: Worker
  /** Callers that wait, in the order in which the thread answers. */
  readonly #waiting: { resolve(done: Done): void; reject(error: Error): void }[] = []
  hasEnded = false

  constructor() {
    // None of the flags and hooks of the process, such as a loader's.
    this.#worker = new Worker(CODE, {
      ...{ eval: true, workerData: deflateModule(), resourceLimits: RESOURCES },
      ...{ execArgv: [], env: {} },
    })
    this.#worker.unref()
    this.#worker.on('message', (done: Done) => this.#next()?.resolve(done))
    this.#worker.on('error', (error) => {
      this.hasEnded = true
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    })
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async deflate(block: Buffer, length: number): Promise<{ pieces: Buffer[]; block: Buffer }> {
    const done = await new Promise<Done>((resolve, reject) => {
      // The process lives for as long as somebody waits.
      if (this.#waiting.push({ resolve, reject }) === 1) this.#worker.ref()
      const memory = block.buffer as ArrayBuffer
      this.#worker.postMessage({ memory, length }, [memory])
    })
    const { memory, deflated } = done
    const piece = Buffer.allocUnsafeSlow(deflated)
    piece.set(new Uint8Array(memory, 0, deflated))
    return { pieces: [piece], block: Buffer.from(memory, 0, BLOCK_BYTES) }
  }

  end(): void {
    void this.#worker.terminate()
  }

  #next() {
    if (this.#waiting.length === 1) this.#worker.unref()
    return this.#waiting.shift()
  }
}

/** None where the process may not have any. */
function startThreads(count: number): Thread[] {
  try {
    return Array.from({ length: count }, () => new Thread())
  } catch {
    // As with Node's `--permission`: the thread that is there has to do.
    return []
  }
}
