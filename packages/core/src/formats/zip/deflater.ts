import { constants, createDeflateRaw } from 'node:zlib'

export const LEVEL = 6
const CHUNK_BYTES = 64 * 1024

/** Compresses one buffer after the other with the same state, whose making costs more than a small file's compression. */
export class Deflater {
  readonly #stream = createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES })
  #chunks: Buffer[] = []

  constructor() {
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
  }

  /** One call at a time. */
  async deflate(content: Buffer): Promise<Buffer[]> {
    this.#chunks = []
    this.#stream.write(content)
    await new Promise<void>((done) => this.#stream.flush(constants.Z_FINISH, done))
    this.#stream.reset()
    return this.#chunks
  }

  close(): void {
    this.#stream.close()
  }
}
