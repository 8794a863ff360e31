import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { HELD_PART, type HeldParts } from '../model/wire.ts'

/** One artifact as `multipart/form-data`, its files still to be read. Source of the order: the protocol page, "Request". */
export interface Multipart {
  contentType: string
  /** What goes on the wire, in order: the form around the files, and the files. */
  pieces: (Buffer | FilePart)[]
}

const JSON_PART = { contentType: 'application/json' }
const NOTHING = Buffer.alloc(0)

/**
 * Frames an artifact: the event first, what the intake holds already, the other files, each as a part of its own, and where its sources
 * can be found. form-data makes the form with empty files, and their content goes where they are: so nothing is read or copied here, and
 * the body's length is known without a stream (docs/decisions/001-transport.md has the figures).
 */
export async function multipart({ event, parts, repository }: SymbolUpload, held: HeldParts): Promise<Multipart> {
  // Loaded when needed, as the transport is.
  const { default: FormData } = await import('form-data')
  const form = new FormData()
  form.append('event', JSON.stringify(event), JSON_PART)
  if (Object.keys(held).length > 0) form.append(HELD_PART, JSON.stringify(held), JSON_PART)
  const end = Buffer.byteLength(`\r\n--${form.getBoundary()}--\r\n`)
  const sent = parts.filter(({ name }) => !Object.hasOwn(held, name))
  const places = sent.map(({ name, filename, contentType = 'application/octet-stream' }) => {
    form.append(name, NOTHING, { filename, contentType })
    return form.getLengthSync() - end
  })
  if (repository) {
    const { url, commit, files } = repository
    const document = { data: [{ files, hash: commit, repository_url: url }], version: 1 }
    form.append('repository', JSON.stringify(document), { ...JSON_PART, filename: 'repository' })
  }
  const framing = form.getBuffer()
  const pieces = sent.flatMap((part, index) => [framing.subarray(places[index - 1] ?? 0, places[index]), part])
  return {
    contentType: form.getHeaders()['content-type'] as string,
    pieces: [...pieces, framing.subarray(places.at(-1) ?? 0)],
  }
}
