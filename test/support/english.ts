/** Text that stays English in a Chinese output: commands, code, names of files and settings, addresses, quoted text. */
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

/** Three lower-case words in a row: a piece of a sentence. */
const SENTENCE = /(?<![\w/.-])[a-z']{2,} [a-z']{2,} [a-z']{2,}(?![\w/-])/g

/** Pieces of English sentences in an output that should have none. */
export function englishIn(output: string): string[] {
  const bare = FOREIGN.reduce((text, pattern) => text.replace(pattern, '¶'), output)
  return bare.match(SENTENCE) ?? []
}
