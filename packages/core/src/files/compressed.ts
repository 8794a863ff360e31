/** Endings of the compressed copies that web servers deliver in place of a file. */
export const COMPRESSED = ['.gz', '.br', '.zst'] as const
