/** Classes of bytes in JavaScript, equivalent to the classes in regular expressions. Non-ASCII bytes are never part of a name. */

const [IN_WORD, LETTER, WHITE, DIGIT] = [1, 2, 4, 8]
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return (
    (/[\w$]/.test(character) ? IN_WORD : 0) |
    (/[A-Za-z]/.test(character) ? LETTER : 0) |
    (/\s/.test(character) ? WHITE : 0) |
    (/\d/.test(character) ? DIGIT : 0)
  )
})

export function isInWord(byte: number | undefined): boolean {
  return byte !== undefined && ((KINDS[byte] as number) & IN_WORD) !== 0
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && ((KINDS[byte] as number) & DIGIT) !== 0
}

export function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((KINDS[byte] as number) & LETTER) !== 0
}

export function isWhite(byte: number | undefined): boolean {
  return byte !== undefined && ((KINDS[byte] as number) & WHITE) !== 0
}
