/** @returns the indexes of the first `count` values, sorted by value and then by index. */
export function sortedOrder(values: Float64Array, count: number): Uint32Array {
  const order = new Uint32Array(count)
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let index = 0; index < count; index++) {
    const value = values[index] as number
    if (value < least) least = value
    if (value > most) most = value
  }
  let room = 1
  while (room < count) room *= 2
  if ((most - least + 1) * room > Number.MAX_SAFE_INTEGER || least % 1 !== 0) {
    for (let index = 0; index < count; index++) order[index] = index
    return order.sort((a, b) => (values[a] as number) - (values[b] as number) || a - b)
  }
  // Value and index in one number, because sorting without a comparison function is ten times faster.
  const keys = new Float64Array(count)
  for (let index = 0; index < count; index++) keys[index] = ((values[index] as number) - least) * room + index
  keys.sort()
  for (let index = 0; index < count; index++) {
    const key = keys[index] as number
    order[index] = key - Math.floor(key / room) * room
  }
  return order
}
