/** Wildcards that a glob may have in one name: with each further one, a file's name of 200 letters takes some fifty times as long. */
const MAX_WILDCARDS = 4
/** A group that repeats, up to the first end of a group in it. */
const REPEATED = /[*+]\(([^)]*)/g
/** An innermost group, with its alternatives. */
const GROUP = /[{(]([^{}()]*)[})]/g

/** Whether comparing a file's name with a glob may take minutes: each division of the name among the wildcards and the repeats is tried. */
export function isExpensiveGlob(glob: string): boolean {
  if ([...glob.matchAll(REPEATED)].some(([, alternatives = '']) => isAmbiguous(alternatives))) return true
  // What repeats and what negates a group is a wildcard too; its own are others.
  let names = glob.replaceAll(/[*+!]\(/g, '*\0(')
  for (let before = ''; before !== names; ) {
    before = names
    names = names.replaceAll(GROUP, (_, alternatives: string) => alternatives.split(/[,|]/).reduce(withMoreWildcards))
  }
  return names.split(/[\\/]/).some((name) => wildcardsIn(name) > MAX_WILDCARDS)
}

/**
 * Whether a name can be put together from repeats of the alternatives in more than one way: `+(*a)`, `+(a|aa)`, but not `+(js|jsx)`. Then the ways double with
 * each of its letters. Source: the algorithm of Sardinas and Patterson.
 */
function isAmbiguous(alternatives: string): boolean {
  const words = alternatives.split('|')
  if (/[*+?({]/.test(alternatives) || (words.length > 1 && alternatives.includes('['))) return true
  if (new Set(words).size < words.length || words.includes('')) return true
  const endings = new Set(words.flatMap((word) => words.flatMap((other) => endingOf(other, word))))
  for (const ending of endings) {
    if (words.includes(ending)) return true
    for (const word of words)
      for (const next of [...endingOf(word, ending), ...endingOf(ending, word)]) endings.add(next)
  }
  return false
}

/** What is left of a text behind its beginning, where it has that and more. */
function endingOf(text: string, beginning: string): string[] {
  return text !== beginning && text.startsWith(beginning) ? [text.slice(beginning.length)] : []
}

function withMoreWildcards(one: string, other: string): string {
  return wildcardsIn(other) > wildcardsIn(one) ? other : one
}

function wildcardsIn(text: string): number {
  return text.match(/\*+/g)?.length ?? 0
}
