/** What stays English in a Chinese text: commands, code, names of files and settings, addresses, what somebody else wrote. */
const FOREIGN: readonly RegExp[] = [
  /`[^`\n]*`/g,
  /“[^”\n]*”/g,
  /^ *(?:npx )?(?:symup|npm|pbpaste|source) .*$/gm,
  /^ {2,}(?:--|import |export |plugins: ).*$/gm,
  // Patches, and lines of source code.
  /^(?:[+-]|\\ No newline).*$/gm,
  /^ +>? *\d+ \| .*$/gm,
  /(?:npx )?symup(?: [\w<>.…-]+)*/g,
  /https?:\/\/\S+/g,
]

/** Three words in a row, in small letters: a piece of a sentence. */
const SENTENCE = /(?<![\w/.-])[a-z']{2,} [a-z']{2,} [a-z']{2,}(?![\w/-])/g

/** Pieces of English sentences in an output that should have none. */
export function englishIn(output: string): string[] {
  const bare = FOREIGN.reduce((text, pattern) => text.replace(pattern, '¶'), output)
  return bare.match(SENTENCE) ?? []
}
