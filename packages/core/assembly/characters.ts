// What bytes are in JavaScript, as regular expressions have it. What is not ASCII is part of no name.

const IN_WORD: u32 = 1
const LETTER: u32 = 2
const WHITE: u32 = 4
const PLAIN: u32 = 8
const DIGIT: u32 = 16
/** Of each byte what it is. */
const KINDS = memory.data(256, 16)

add(IN_WORD | LETTER | PLAIN, 0x41, 0x5a)
add(IN_WORD | LETTER | PLAIN, 0x61, 0x7a)
add(IN_WORD | DIGIT | PLAIN, 0x30, 0x39)
// `_`, `$`
add(IN_WORD | PLAIN, 0x5f, 0x5f)
add(IN_WORD | PLAIN, 0x24, 0x24)
add(WHITE, 0x09, 0x0d)
add(WHITE, 0xa0, 0xa0)
add(WHITE | PLAIN, 0x20, 0x20)
// `:;`, `=`, `*+,-.`
add(PLAIN, 0x3a, 0x3b)
add(PLAIN, 0x3d, 0x3d)
add(PLAIN, 0x2a, 0x2e)

function add(kinds: u32, from: usize, to: usize): void {
  for (let byte = from; byte <= to; byte++) store<u8>(KINDS + byte, <u32>load<u8>(KINDS + byte) | kinds)
}

/** `[\w$]` */
export function isInWord(byte: u32): bool {
  return (load<u8>(KINDS + byte) & IN_WORD) !== 0
}

export function isDigit(byte: u32): bool {
  return (load<u8>(KINDS + byte) & DIGIT) !== 0
}

/** `[A-Za-z]` */
export function isLetter(byte: u32): bool {
  return (load<u8>(KINDS + byte) & LETTER) !== 0
}

/** `\s` */
export function isWhite(byte: u32): bool {
  return (load<u8>(KINDS + byte) & WHITE) !== 0
}

/** What no serializer escapes in a text: `[\w $:;,.=+*-]`. */
export function isPlain(byte: u32): bool {
  return (load<u8>(KINDS + byte) & PLAIN) !== 0
}
