import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { fromBuffer, type Options, type ZipFile } from 'yauzl'

const unzip = promisify<Buffer, Options, ZipFile>(fromBuffer)

/** Chunks by SHA-1, until a bundle is assembled from them. */
const chunks = new Map<string, Buffer>()

/** The options that sentry-cli requests before it uploads. Source: its `api/data_types/chunking`. */
export function chunkOptions(origin: string) {
  return {
    url: `${origin}/chunks`,
    chunkSize: 8 * 1024 * 1024,
    chunksPerRequest: 64,
    maxFileSize: 2 ** 31,
    maxRequestSize: 32 * 1024 * 1024,
    concurrency: 8,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['debug_files', 'release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2'],
  }
}

export function keepChunk(chunk: Buffer): void {
  chunks.set(createHash('sha1').update(chunk).digest('hex'), Buffer.from(chunk))
}

/** Assembles a bundle once all of its chunks are present. Returns the SHA-256 of its files, or the missing chunks. */
export async function assemble(body: string): Promise<{ hashes: string[]; missing: string[] }> {
  const wanted = (JSON.parse(body) as { chunks: string[] }).chunks
  const missing = wanted.filter((hash) => !chunks.has(hash))
  if (missing.length > 0) return { hashes: [], missing }
  const bundle = Buffer.concat(wanted.map((hash) => chunks.get(hash) as Buffer))
  for (const hash of wanted) chunks.delete(hash)
  return { hashes: await hashesInZip(bundle), missing }
}

/** A bundle is a zip after a few bytes of its own. */
async function hashesInZip(bundle: Buffer): Promise<string[]> {
  const zip = await unzip(bundle, { lazyEntries: true })
  const hashes: string[] = []
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(hashes))
    zip.on('entry', (entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const hash = createHash('sha256')
        for await (const chunk of stream) hash.update(chunk)
        hashes.push(hash.digest('hex'))
        zip.readEntry()
      })
    })
    zip.readEntry()
  })
}
