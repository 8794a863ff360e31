import { randomBytes } from 'node:crypto'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { HELD_PART, type HeldParts } from '../model/wire.ts'

/** One artifact as `multipart/form-data`, its files still to be read. Source of the order: the protocol page, "Request". */
export interface Multipart {
  contentType: string
  /** What goes on the wire, in order: the form around the files, and the files. */
  pieces: (Buffer | FilePart)[]
}

const JSON_TYPE = 'application/json'

/**
 * Frames an artifact (RFC 7578): the event first, what the intake holds already, the other files, each as a part of its own, and where its sources can be found. Nothing is
 * read or copied here. Why no library does it: docs/decisions/001-transport.md.
 */
export function multipart({ event, parts, repository }: SymbolUpload, held: HeldParts): Multipart {
  // Nobody guesses it, to write it into a file. As long as that of Go's clients: the longer it is, the faster the search for it.
  const boundary = `symup-${randomBytes(27).toString('hex')}`
  const pieces: (Buffer | FilePart)[] = []
  let text = ''
  const begin = (name: string, type: string, filename?: string) => {
    const file = filename === undefined ? '' : `; filename="${escaped(filename)}"`
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\nContent-Type: ${type}\r\n\r\n`
  }
  begin('event', JSON_TYPE)
  text += `${JSON.stringify(event)}\r\n`
  if (Object.keys(held).length > 0) {
    begin(HELD_PART, JSON_TYPE)
    text += `${JSON.stringify(held)}\r\n`
  }
  for (const part of parts) {
    if (Object.hasOwn(held, part.name)) continue
    begin(part.name, part.contentType ?? 'application/octet-stream', part.filename)
    pieces.push(Buffer.from(text), part)
    text = '\r\n'
  }
  if (repository) {
    const { url, commit, files } = repository
    begin('repository', JSON_TYPE, 'repository')
    text += `${JSON.stringify({ data: [{ files, hash: commit, repository_url: url }], version: 1 })}\r\n`
  }
  pieces.push(Buffer.from(`${text}--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces }
}

/** As browsers do it: no name leaves its quotes or its line. */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
