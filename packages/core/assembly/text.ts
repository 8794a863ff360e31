/** Bytes of a text that is a script's, or a piece of one, each a character: 1 MiB, and what a load of sixteen bytes may read behind them. */
export const TEXT = memory.data(1048576 + 64, 16)
/** The same without literals. */
export const CODE = memory.data(1048576 + 64, 16)

export function textAddress(): usize {
  return TEXT
}

export function codeAddress(): usize {
  return CODE
}
