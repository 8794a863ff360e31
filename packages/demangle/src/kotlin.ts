/**
 * Demangles a Kotlin/Native name: `kfun:com.shop.Cart#total(kotlin.Int;kotlin.String){}kotlin.Int` becomes
 * `com.shop.Cart.total(kotlin.Int, kotlin.String)`. Type parameters and the return type are omitted, because functions can be distinguished
 * without them. As on the JVM, the receiver of an extension function is its first parameter.
 * @returns undefined if the name is not a Kotlin/Native function.
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
