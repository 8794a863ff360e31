/** Extensions of the compressed copies that web servers deliver instead of the original file. */
export const COMPRESSED = ['.gz', '.br', '.zst'] as const
