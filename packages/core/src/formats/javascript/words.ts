export const [IS_KEYWORD, IS_LOOSE, IS_BY_COMPILERS, IS_BUILT_IN, IS_BEFORE_EXPRESSION] = [1, 2, 4, 8, 16]

const LISTS: readonly (readonly string[])[] = [
  // Keywords that neither minifiers nor compilers replace.
  'throw new switch catch super instanceof delete'.split(' '),
  // Keywords that minifiers add, remove and replace freely.
  'var let const function class extends return if else for while do break continue case default try finally typeof void in of this null true false undefined async await yield static get set import export from as with debugger arguments Object Array Symbol require exports module'.split(
    ' ',
  ),
  // Property names that compilers generate, or rewrite without a mapping, such as Babel's `["finally"]`. The original code may not contain
  // them.
  'apply bind call concat from isArray then catch finally push join forEach wrap mark stop abrupt return sent next done value label trys ops exports assign keys length defineProperty enumerable configurable writable hasOwnProperty toString prototype constructor freeze resolve raw children className Fragment key get set'.split(
    ' ',
  ),
  // Built-in constructors, which minifiers never rename. Names that end in `Error` also count as built-in.
  'Error Map Set WeakMap WeakSet Date RegExp Promise Proxy URL URLSearchParams Worker Blob AbortController'.split(' '),
  // Keywords after which a slash begins a regular expression, not a division.
  'return typeof case in of throw void delete do else'.split(' '),
]

/** The last index of the hash table, which has about four times as many slots as words. Collisions are resolved by linear probing. */
const LAST_PLACE = 511
const WORDS = new Array<string | undefined>(LAST_PLACE + 1)
const KINDS = new Uint8Array(LAST_PLACE + 1)
const MAX_WORD = 16

for (const [nth, words] of LISTS.entries()) {
  for (const word of words) {
    const place = placeOf(Buffer.from(word), 0, word.length)
    WORDS[place] = word
    KINDS[place] = (KINDS[place] as number) | (1 << nth)
  }
}

export function kindsOf(bytes: Uint8Array, at: number, length: number): number {
  return length > MAX_WORD ? 0 : (KINDS[placeOf(bytes, at, length)] as number)
}

/** Returns the slot of a word, or the free slot where the word belongs. */
function placeOf(bytes: Uint8Array, at: number, length: number): number {
  let hash = length
  for (let index = at; index < at + length; index++) hash = Math.imul(hash, 31) + (bytes[index] as number)
  let place = hash & LAST_PLACE
  for (let word = WORDS[place]; word !== undefined && !isAt(bytes, at, length, word); word = WORDS[place])
    place = (place + 1) & LAST_PLACE
  return place
}

function isAt(bytes: Uint8Array, at: number, length: number, word: string): boolean {
  if (word.length !== length) return false
  for (let index = 0; index < length; index++) if (bytes[at + index] !== word.charCodeAt(index)) return false
  return true
}
