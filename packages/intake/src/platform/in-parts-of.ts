export function inPartsOf<T>(length: number, list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, nth) =>
    list.slice(nth * length, (nth + 1) * length),
  )
}
