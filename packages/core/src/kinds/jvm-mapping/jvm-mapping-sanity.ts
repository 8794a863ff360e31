import { openRegularHandle } from '../../files/open-regular.ts'
import { readAt } from '../../files/read-at.ts'
import { t } from '../../text.ts'

export const MAX_MAPPING_BYTES = 500 * 1024 * 1024

const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 4 * 1024
const SAMPLE_BYTES = 16 * 1024
/** The number of samples from the middle of the file. This number is sufficient to recognize mappings of any size. */
const SAMPLES = 16

export interface MappingFacts {
  bytes: number
  /** The id that R8 assigned to the mapping (`pg_map_id`). */
  pgMapId?: string
  /** The number of class and member lines in the samples, and how many of them contain a new name. */
  entries: number
  renamed: number
  flaw?: string
}

/** @throws a file system error if the file cannot be read. */
export async function readMappingFacts(path: string): Promise<MappingFacts> {
  const file = await openRegularHandle(path)
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, Math.min(HEAD_BYTES, size))
    const tail = await readAt(file, Math.max(0, size - TAIL_BYTES), Math.min(TAIL_BYTES, size))
    const counts = countEntries(head.toString('utf8'), true)
    const step = Math.floor(size / (SAMPLES + 1))
    for (let at = HEAD_BYTES; step > SAMPLE_BYTES && at < size - SAMPLE_BYTES; at += step) {
      const sample = countEntries((await readAt(file, at, SAMPLE_BYTES)).toString('utf8'), false)
      counts.entries += sample.entries
      counts.renamed += sample.renamed
    }
    const flaw = size === 0 ? t`The file is empty.` : jvmMappingFlaw(head, tail, counts.entries)
    const pgMapId = /^# pg_map_id: (.{1,100})$/m.exec(head.toString('utf8'))?.[1]?.trim()
    return { bytes: size, pgMapId, ...counts, flaw }
  } finally {
    await file.close()
  }
}

/**
 * Checks the start and the end of a file to determine whether it can be a mapping.
 * @param entries the number of mapping lines in the samples.
 * @returns a sentence that explains why the file is not a mapping, or undefined if it may be one.
 */
function jvmMappingFlaw(head: Buffer, tail: Buffer, entries: number): string | undefined {
  if (head.includes(0)) return t`The mapping file must be a text file, but the specified file is binary.`
  const start = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (start.startsWith('<')) return t`The file is an HTML or XML page, not a mapping file.`
  if (start.startsWith('{') || start.startsWith('[')) return t`The file contains JSON, not a mapping.`
  if (entries === 0 && !isOnlyHeader(start)) return t`The file contains no line of the form "original.Class -> a.b:".`
  const end = tail.toString('utf8')
  const lastLine = end.slice(end.lastIndexOf('\n') + 1)
  if (lastLine !== '' && !/^\s*#/.test(lastLine) && !lastLine.includes(' -> '))
    return t`The file is truncated: its last line is incomplete.`
  return undefined
}

/**
 * Returns whether a line is a class line, such as `original.Class -> a.b:` without indentation. Member lines never end with a colon, even
 * if their indentation was removed.
 */
export function isMappingClassLine(line: string): boolean {
  return /^[^\s#].* -> \S+:$/.test(line)
}

/** R8 writes a header even if it renames nothing, so a header alone is a valid mapping. */
function isOnlyHeader(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || line.startsWith('#'))
}

const ARROW = ' -> '

/** @param fromStart whether the text starts with a complete line. */
function countEntries(text: string, fromStart: boolean): { entries: number; renamed: number } {
  const lines = text.split('\n').slice(fromStart ? 0 : 1, -1)
  // A short file is a single sample, whose last line is complete.
  if (fromStart) lines.push(text.slice(text.lastIndexOf('\n') + 1))
  let entries = 0
  let renamed = 0
  for (const line of lines) {
    const arrow = line.indexOf(ARROW)
    if (arrow === -1 || /^\s*#/.test(line)) continue
    const to = line.slice(arrow + ARROW.length).trim()
    const isClass = isMappingClassLine(line.trimEnd())
    if (!isClass && !/^\s*(?:\d+:\d+:)?\S+ \S/.test(line.slice(0, arrow))) continue
    entries++
    const from = line.slice(0, arrow)
    const original = isClass ? `${from}:` : from.replace(/\(.*$/s, '').replace(/^.*[\s.]/, '')
    if (original !== to) renamed++
  }
  return { entries, renamed }
}
