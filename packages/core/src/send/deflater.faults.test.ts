import { EventEmitter } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, it, vi } from 'vitest'
import { BLOCK_BYTES } from '../formats/deflate/deflate.ts'
import { openDeflater } from './deflater.ts'
import { gzip } from './gzip.ts'

const workers = vi.hoisted(() => ({ isAllowed: true, started: 0 }))
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<typeof import('node:worker_threads')>()),
  Worker: class extends EventEmitter {
    constructor() {
      super()
      if (!workers.isAllowed) throw Object.assign(new Error('no'), { code: 'ERR_ACCESS_DENIED' })
      workers.started++
    }
    /** It takes the block along, and ends. */
    postMessage(_: unknown, transferred: ArrayBuffer[]) {
      for (const bytes of transferred) structuredClone(bytes, { transfer: [bytes] })
      setImmediate(() => this.emit('error', new Error('out of memory')))
    }
    ref() {}
    unref() {}
    terminate() {}
  },
}))

beforeEach(() => {
  workers.isAllowed = true
  workers.started = 0
})

const MANY = 2 ** 30
const body = Buffer.alloc(5 * BLOCK_BYTES, 'const answer = 42\n')

async function gzipped(deflater: ReturnType<typeof openDeflater>): Promise<Buffer> {
  let offset = 0
  const read = (target: Buffer) => {
    const count = body.copy(target, 0, offset)
    offset += count
    return count
  }
  const pieces: Buffer[] = []
  for await (const piece of gzip(read, deflater)) pieces.push(piece)
  return Buffer.concat(pieces)
}

it('compresses where it is when the process may have no threads', async () => {
  workers.isAllowed = false
  expect(gunzipSync(await gzipped(openDeflater(MANY, true))).equals(body)).toBe(true)
})

it('fails with the thread that ends, and compresses what comes after that where it is', async () => {
  const deflater = openDeflater(MANY, true)
  await expect(gzipped(deflater)).rejects.toThrow('out of memory')
  expect(gunzipSync(await gzipped(deflater)).equals(body)).toBe(true)
})

it.each([
  ['little', 1000, true],
  ['much, and nothing is proven meanwhile', MANY, false],
])('needs no thread for %s', async (_, totalBytes, isBusy) => {
  expect(gunzipSync(await gzipped(openDeflater(totalBytes, isBusy))).equals(body)).toBe(true)
  expect(workers.started).toBe(0)
})
