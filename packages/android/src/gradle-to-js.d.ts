declare module 'gradle-to-js' {
  /** Blocks are returned as objects, and statements as raw text. Repeated names result in arrays. */
  export function parseText(text: string): Promise<Record<string, unknown>>
}
