const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g

/** Returns the width of a string on a terminal, in columns. A Chinese character takes up two columns. */
export function columnsOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0)
}

/** Works like `padEnd`, but counts terminal columns instead of characters. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
}
