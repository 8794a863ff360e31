import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { readEnds } from '../files/file-ends.ts'
import { nameBelow } from '../files/name-below.ts'
import { reasonNotOwned } from '../files/remove-file.ts'
import { shownPath } from '../files/shown-path.ts'
import { decoded, endingIn, referencedPath } from '../files/url-path.ts'
import { COMPRESSED, listFiles } from '../files/walk.ts'
import { isScriptPath } from '../kinds/index.ts'
import { LISTING } from '../leaks/find-leaks.ts'
import type { Line } from '../model/line.ts'
import { t } from '../text.ts'

/** Matches files that may contain hashes of other files: pages, manifests, and scripts that load other scripts. */
const MAY_HOLD_HASHES = /\.(?:html?|json|[mc]?js|php)$/i
const COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=[^\s'"`*]+(?:[ \t]*\*\/)?$/
const URLS = /sourceMappingURL=([^\s'"`*]+)/g
/** The number of bytes to search at the end of a file. Comments that refer to maps are much shorter. */
const MAX_COMMENTS = 8 * 1024
/**
 * Matches an entry in a precache list, with the comma after it: `{url:"a.js.map",revision:null},`. The text is decoded as latin1, where
 * `\s` would match bytes of multi-byte characters, so the pattern lists the spaces explicitly.
 */
const ENTRY =
  /\{[^{}]{0,2000}?\burl["']?\s*:\s*(["'])((?:(?!\1)[^\\ \t\r\n]){1,500}\.map(?:\.gz|\.br|\.zst)?)\1[^{}]{0,2000}\}\s*,?/g

/**
 * Matches manifests with file addresses, such as asset-manifest.json from Create React App, or with a file list, such as manifest.json in a
 * browser extension.
 */
const MANIFEST = /manifest[^/]*\.json$/i
/** Matches an object member with the comma before it or, for the first member, after it: `"a.js.map": "/shop/a.js.map"`. */
const MEMBER =
  /,\s*"[^"\\]{1,500}"\s*:\s*"([^"\\]{1,500}\.map)"(?=\s*[,}])|"[^"\\]{1,500}"\s*:\s*"([^"\\]{1,500}\.map)"(?:\s*,(?=\s*["}])|\s*(?=["}]))/g
/** Matches a list item with its comma: `, "a.js.map"`. For performance, the pattern looks back only from the start of an item. */
const LISTED =
  /,\s*"([^"\\]{1,500}\.map)"(?=\s*[,\]])|"(?<=[[,]\s*")([^"\\]{1,500}\.map)"(?:\s*,(?=\s*["\]])|\s*(?=["\]]))/g

/**
 * Removes references to deleted maps from an output, because browsers would get a 404 response. References are comments in scripts and
 * style sheets, and entries in precache lists and manifests. No positions in scripts change, so their maps stay valid. A file stays
 * unchanged if another file contains its hash, or if it has a compressed copy, which the leak search reports.
 * @param gone the absolute paths of the deleted maps.
 * @param root the directory that displayed paths are relative to.
 * @param hashedIn absolute paths of other files that may contain hashes. Default: none.
 * @returns `hashed`, the absolute paths of files that keep the reference because another file contains their hash.
 */
export async function unlinkMaps(
  directory: string,
  gone: readonly string[],
  root: string,
  hashedIn: readonly string[] = [],
): Promise<{ lines: Line[]; hashed: string[] }> {
  if (gone.length === 0) return { lines: [], hashed: [] }
  const names = new Set(gone.map((path) => nameBelow(directory, path)))
  const files = await listFiles(directory).catch(() => [])
  const pages = files.filter((file) => MAY_HOLD_HASHES.test(file)).map((file) => join(directory, file))
  const isHashed = hashes([...pages, ...hashedIn])
  let comments = 0
  const hashed: string[] = []
  const lines: Line[] = []
  for (const file of files) {
    const path = join(directory, file)
    try {
      // Bundlers can be configured to use any extension for scripts, so every file is searched for a comment.
      const found = commentsAtEnd(readEnds(path, 0, MAX_COMMENTS).tail.toString())
      const listing = LISTING.test(file) && isScriptPath(file) ? PRECACHE : MANIFEST.test(file) ? MEMBERS : undefined
      if (found === '' && !listing) continue
      if (COMPRESSED.some((end) => existsSync(path + end)) || reasonNotOwned(directory, path) !== undefined) continue
      const done = found === '' ? undefined : await dropComment(found, path, file, names, isHashed)
      if (done === 'dropped') comments++
      else if (done === 'hashed') hashed.push(path)
      const items = listing ? await dropItems(path, listing, names, isHashed) : 0
      if (items > 0) lines.push(itemsLine(items, shownPath(path, root)))
    } catch {
      // If the file cannot be read or written, the leak search reports the references that remain in it.
    }
  }
  if (comments > 0) {
    const text = t`Removed the reference to a deleted source map from ${comments} file${comments === 1 ? '' : 's'}.`
    lines.push({ severity: 'info', text })
  }
  if (hashed.length > 0) {
    const text = t`Kept the reference to a deleted source map in ${hashed.length} file${hashed.length === 1 ? '' : 's'} because other files contain an integrity hash of ${hashed.length === 1 ? 'it' : 'them'}.`
    lines.push({ severity: 'info', text })
  }
  return { lines, hashed }
}

function itemsLine(count: number, file: string): Line {
  const text = t`Removed ${count} deleted source map${count === 1 ? '' : 's'} from the file list in ${file}.`
  return { severity: 'info', text }
}

type IsHashed = (content: Buffer) => Promise<boolean>

async function dropComment(
  comments: string,
  path: string,
  file: string,
  gone: ReadonlySet<string>,
  isHashed: IsHashed,
): Promise<'dropped' | 'hashed' | undefined> {
  const named = [...comments.matchAll(URLS)].map(([, url]) => targetOf(file, url as string))
  if (named.some((name) => !gone.has(name))) return undefined
  const content = await readFile(path)
  const code = content.subarray(0, content.length - Buffer.byteLength(comments))
  // The file may use an encoding other than UTF-8, in which case it stays unchanged.
  if (!content.subarray(code.length).equals(Buffer.from(comments))) return undefined
  if (await isHashed(content)) return 'hashed'
  await truncate(path, code.length)
  return 'dropped'
}

/**
 * Returns all comments at the end that refer to a map, with the surrounding spaces. The comments are matched one by one, because a single
 * pattern would try every way to divide the spaces between two comments.
 */
function commentsAtEnd(text: string): string {
  let code = text.trimEnd()
  const end = code.length
  for (let at = code.search(COMMENT); at !== -1; at = code.search(COMMENT)) code = code.slice(0, at).trimEnd()
  return code.length === end ? '' : text.slice(code.length)
}

function targetOf(file: string, url: string): string {
  const bare = referencedPath(url)
  return bare.startsWith('/') ? bare.slice(1) : join(dirname(file), bare).split(sep).join('/')
}

/** Precache entries are replaced with spaces. A trailing comma may remain, because it is valid in array literals. */
const PRECACHE: Listing = { item: ENTRY, without: (entry) => entry.replace(/[^\n]/g, ' ') }
const MEMBERS: Listing = {
  item: new RegExp(`${MEMBER.source}|${LISTED.source}`, 'g'),
  without: () => '',
  check: JSON.parse,
}

interface Listing {
  /** Matches a list item. The last matching group is the address of the file. */
  item: RegExp
  without: (item: string) => string
  /** @throws an error if the remaining text is no longer a valid list. */
  check?: (left: string) => unknown
}

/** @returns the number of removed items. */
async function dropItems(
  path: string,
  { item, without, check }: Listing,
  gone: ReadonlySet<string>,
  isHashed: IsHashed,
): Promise<number> {
  const content = await readFile(path)
  let count = 0
  const left = content.toString('latin1').replace(item, (text: string, ...groups: unknown[]) => {
    // `String.replace` passes the index and the whole string after the groups.
    const url = groups.slice(0, -2).findLast((group) => group !== undefined) as string
    const name = decoded(Buffer.from(url, 'latin1').toString())
    if (!gone.has(name) && endingIn(gone, name) === undefined) return text
    count++
    return without(text)
  })
  if (count === 0 || (await isHashed(content))) return 0
  check?.(left)
  await writeFile(path, left, 'latin1')
  return count
}

const HASHES = ['sha256', 'sha384', 'sha512']
/** The maximum length of a hash, which is that of SHA-512 in base64. */
const MAX_HASH = 88
/** Matches hashes in base64, and other words that are at least as long. */
const LONG_WORDS = /[A-Za-z\d+/]{43,}={0,2}/g

/**
 * Returns a function that tests whether any file contains a hash of the given content, for example for subresource integrity. The function
 * reads each file only once.
 */
function hashes(files: readonly string[]): IsHashed {
  let found: Promise<ReadonlySet<string>> | undefined
  const read = async () => {
    const words = new Set<string>()
    for (const file of files) {
      const text = (await readFile(file).catch(() => Buffer.of())).toString('latin1')
      if (!/sha(?:256|384|512)-/.test(text)) continue
      // A substring would keep the whole text in memory, so the word is copied.
      for (const [word] of text.matchAll(LONG_WORDS))
        if (word.length <= MAX_HASH) words.add(Buffer.from(word, 'latin1').toString('latin1'))
    }
    return words
  }
  return async (content) => {
    found ??= read()
    const words = await found
    if (words.size === 0) return false
    return HASHES.some((name) => words.has(createHash(name).update(content).digest('base64')))
  }
}
