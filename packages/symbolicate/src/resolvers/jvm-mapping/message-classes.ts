import type { MappingIndex } from './mapping-index.ts'

/**
 * Matches names with a package (`p2.a`), descriptors (`Lp2/a;`), and messages that consist of a class name with slashes. Names without a
 * package, such as `a`, are matched only if the text must be a class name. Names before parentheses are methods, and names between slashes
 * are paths.
 */
const CLASS =
  /(?<![\w$./@-])(?:L([\w$]+(?:[/.][\w$]+)*);|([\w$]+(?:\.[\w$]+)+)|(?<=^: |\(wrong name: )([\w$]+(?:\/[\w$]+)+)(?=$| \(|\))|(?<=\b(?:class|interface) "?|\bClass<|\bdeclaration of '| cannot be cast to )([\w$]+)|([\w$]+)(?= cannot be cast to | and \S+ are in | (?:is|are) in (?:unnamed )?module |@[\da-f]{4,8}\b(?!\.)))(?![\w$(/-]|\.[\w$])/g
/** Matches text that precedes a field or a quoted method in ART messages. The last part of the name after the match is not a class. */
const MEMBER = /\b(?:field|static field) '\S+ $|because "$/
const ABBREVIATIONS: ReadonlySet<string> = new Set(['e.g', 'i.e'])
const MAX_MEMBER = 300
/** The maximum length of a message. Real messages are shorter. */
const MAX_MESSAGE = 16 * 1024

export function withOriginalClasses(message: string, { originalName }: MappingIndex): string | undefined {
  if (message.length > MAX_MESSAGE) return undefined
  const renamed = message.replace(CLASS, (word, descriptor, dotted, slashed, ...rest) => {
    const [target, casted, at = 0] = rest as [string?, string?, number?]
    const before = message.slice(Math.max(0, at - MAX_MEMBER), at)
    const name: string = (descriptor ?? slashed)?.replaceAll('/', '.') ?? dotted ?? target ?? casted
    if (ABBREVIATIONS.has(name) || MEMBER.test(before)) return word
    const end = before.endsWith('No enum constant ') ? name.lastIndexOf('.') : name.length
    const original = originalName(name.slice(0, end))
    if (original === undefined) return word
    // Names of array classes contain dots, as in `[Lcom.shop.Cart;`. Other descriptors contain slashes.
    const isDotted = slashed === undefined && (descriptor?.includes('.') ?? true)
    const isArray = descriptor !== undefined && before.endsWith('[') && !descriptor.includes('/')
    const shown = isDotted || isArray ? original : original.replaceAll('.', '/')
    return descriptor === undefined ? shown + name.slice(end) : `L${shown};`
  })
  return renamed === message ? undefined : renamed
}
