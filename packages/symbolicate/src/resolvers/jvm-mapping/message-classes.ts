import type { MappingIndex } from './mapping-index.ts'

/**
 * A whole word with a package, `p2.a`; a descriptor, `Lp2/a;`; and a word without a package where only a class can be: every mapping has classes
 * such as `a`, which is a word of English too. What is followed by a bracket is a method, what is between slashes a path.
 */
const CLASS =
  /(?<![\w$./@-])(?:L([\w$]+(?:[/.][\w$]+)*);|([\w$]+(?:\.[\w$]+)+)|(?<=\b(?:class|interface) )([\w$]+)|([\w$]+)(?= cannot be cast to )|(?<= cannot be cast to )([\w$]+))(?![\w$(/-]|\.[\w$])/g
/** A method in single quotes (ART), or a field: the last name is not a class. */
const MEMBER = /\b(?:field|static field) '\S+ $|because "$/
const ABBREVIATIONS: ReadonlySet<string> = new Set(['e.g', 'i.e'])
const MAX_MEMBER = 300
/** No real message is longer. */
const MAX_MESSAGE = 16 * 1024

/** A message with the original names of renamed classes; undefined if it contains none. */
export function withOriginalClasses(message: string, { originalName }: MappingIndex): string | undefined {
  if (message.length > MAX_MESSAGE) return undefined
  const renamed = message.replace(CLASS, (word, descriptor, dotted, ...rest) => {
    const [named, casted, target, at] = rest as [string?, string?, string?, number?]
    const name: string = descriptor?.replaceAll('/', '.') ?? dotted ?? named ?? casted ?? target
    if (ABBREVIATIONS.has(name) || MEMBER.test(message.slice(Math.max(0, (at ?? 0) - MAX_MEMBER), at))) return word
    const original = originalName(name)
    if (original === undefined) return word
    if (descriptor === undefined) return original
    return `L${descriptor.includes('.') ? original : original.replaceAll('.', '/')};`
  })
  return renamed === message ? undefined : renamed
}
