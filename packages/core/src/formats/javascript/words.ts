/** Words of at most sixteen letters, by what they are: the order is that of the bits in assembly/words.ts. */
export const WORDS: readonly (readonly string[])[] = [
  // Keywords that neither minifiers nor compilers put in the place of others.
  'throw new switch catch super instanceof delete'.split(' '),
  // They are written, left out and exchanged at will.
  'var let const function class extends return if else for while do break continue case default try finally typeof void in of this null true false undefined async await yield static get set import export from as with debugger arguments Object Array Symbol require exports module'.split(
    ' ',
  ),
  // Names of properties that compilers write themselves, so that no original needs to have them, or write anew without a mapping (Babel's `["finally"]`).
  'apply bind call concat from isArray then catch finally push join forEach wrap mark stop abrupt return sent next done value label trys ops exports assign keys length defineProperty enumerable configurable writable hasOwnProperty toString prototype constructor freeze resolve raw children className key get set'.split(
    ' ',
  ),
  // Constructors of the language, which no minifier renames; and all whose names end with `Error`.
  'Error Map Set WeakMap WeakSet Date RegExp Promise Proxy URL URLSearchParams Worker Blob AbortController'.split(' '),
  // Behind these a slash begins a regular expression, not a division.
  'return typeof case in of throw void delete do else'.split(' '),
]
