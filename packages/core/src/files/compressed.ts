/** Extensions of the compressed copies that web servers deliver instead of a file. */
export const COMPRESSED = ['.gz', '.br', '.zst'] as const
