declare module 'gradle-to-js' {
  /** Blocks as objects, statements as raw text, repeated ones as arrays. */
  export function parseText(text: string): Promise<Record<string, unknown>>
}
