import { readFile } from 'node:fs/promises'
import { type FilePart, type Problem, problem, type SymbolUpload, shownPath } from '@symup/core'
import { t } from '@symup/core/text'

/**
 * Keeps one upload per address, because the intake keeps one. The same file in two output directories is one artifact. Two different files
 * (client and server output with equal names) are a problem, because frames of one of them would resolve to wrong lines.
 */
export async function onePerUrl(
  uploads: readonly SymbolUpload[],
  root: string,
): Promise<{ uploads: SymbolUpload[]; problems: Problem[] }> {
  const first = new Map<string, SymbolUpload>()
  const problems: Problem[] = []
  for (const upload of uploads) {
    const url = 'minified_url' in upload.event ? upload.event.minified_url : ''
    const taken = first.get(url)
    if (taken === undefined) {
      first.set(url, upload)
      continue
    }
    if (await haveSameBytes(taken.parts, upload.parts)) continue
    const [kept, left] = [taken, upload].map(({ parts }) => shownPath(parts.at(-1)?.path ?? '', root))
    problems.push(
      problem(
        'address-taken',
        t`It would be deployed as ${url}, like ${kept}, which is another file: nothing is uploaded, and no source map is deleted.`,
        { file: left },
      ),
    )
  }
  return { uploads: [...first.values()], problems }
}

async function haveSameBytes(some: readonly FilePart[], others: readonly FilePart[]): Promise<boolean> {
  for (const [index, part] of some.entries()) {
    const other = others[index]
    if (!other || other.bytes !== part.bytes) return false
    if (other.path === part.path) continue
    const [a, b] = await Promise.all([part, other].map(({ content, path }) => content ?? readFile(path)))
    if (Buffer.compare(a as Uint8Array, b as Uint8Array) !== 0) return false
  }
  return true
}
