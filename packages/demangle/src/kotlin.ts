/**
 * Demangles a Kotlin/Native name:
 * `kfun:com.shop.Cart#total(kotlin.Int;kotlin.String){}kotlin.Int` is `com.shop.Cart.total(kotlin.Int, kotlin.String)`.
 * Type parameters and the result are omitted, because they do not distinguish functions. The receiver of an extension
 * function is its first parameter, as on the JVM.
 * @returns undefined if it is not a function of Kotlin/Native.
 */
export function demangleKotlin(mangled: string): string | undefined {
  const [, whole, trampoline] = /^_?kfun:(.+?)(-trampoline)?$/.exec(mangled) ?? []
  if (whole === undefined) return undefined
  const open = whole.indexOf('(')
  const signature = open === -1 ? whole : whole.slice(0, open)
  const [path = '', receiver] = signature.replace(/#internal(?:\.\d+)?$/, '').split('__at__')
  const name = path.replace(/#/g, '.').replace(/^\./, '')
  if (name === '') return undefined
  const end = whole.indexOf('){', open)
  const listed = open === -1 ? '' : whole.slice(open + 1, end === -1 ? whole.lastIndexOf(')') : end)
  const parameters = [receiver ?? [], listed === '' ? [] : listed.split(';')].flat().join(', ')
  return `${name}${open === -1 ? '' : `(${parameters})`}${trampoline === undefined ? '' : ' (trampoline)'}`
}
