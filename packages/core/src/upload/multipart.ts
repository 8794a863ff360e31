import { randomUUID } from 'node:crypto'
import type { FilePart, SymbolUpload } from '../plan.ts'
import { HELD_PART, type HeldParts } from '../wire.ts'

/** One artifact as `multipart/form-data`, its files still to be read. Source of the order: the protocol page, "Request". */
export interface Multipart {
  contentType: string
  /** What goes on the wire, in order: text of the framing, and files. */
  pieces: (Buffer | FilePart)[]
}

/** Frames an artifact: the event first, what the intake holds already, the other files, each as a part of its own, and where its sources can be found. */
export function multipart(upload: SymbolUpload, held: HeldParts): Multipart {
  // 122 random bits: no file holds it by accident, and no author of a file can foresee it.
  const boundary = `symup-${randomUUID()}`
  const event = 'Content-Disposition: form-data; name="event"\r\nContent-Type: application/json'
  const pieces: Multipart['pieces'] = []
  let text = `--${boundary}\r\n${event}\r\n\r\n${JSON.stringify(upload.event)}\r\n`
  if (Object.keys(held).length > 0) {
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${HELD_PART}"\r\nContent-Type: application/json\r\n\r\n`
    text += `${JSON.stringify(held)}\r\n`
  }
  for (const part of upload.parts) {
    if (Object.hasOwn(held, part.name)) continue
    const disposition = `form-data; name="${quotable(part.name)}"; filename="${quotable(part.filename)}"`
    const contentType = part.contentType ?? 'application/octet-stream'
    text += `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`
    pieces.push(Buffer.from(text), part)
    text = '\r\n'
  }
  if (upload.repository) {
    const disposition = 'form-data; name="repository"; filename="repository"'
    const body = JSON.stringify(repositoryDocument(upload.repository))
    text += `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/json\r\n\r\n${body}\r\n`
  }
  pieces.push(Buffer.from(`${text}--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces }
}

function repositoryDocument({ url, commit, files }: NonNullable<SymbolUpload['repository']>): object {
  return { data: [{ files, hash: commit, repository_url: url }], version: 1 }
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** A name that cannot end its quotes or its line. Source: the HTML standard, "multipart/form-data encoding algorithm". */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, (character) => ESCAPES[character] as string)
}
