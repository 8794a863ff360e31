declare module 'gradle-to-js' {
  /** Blocks are objects and statements are raw text. Repeated names become arrays. */
  export function parseText(text: string): Promise<Record<string, unknown>>
}
