/** Wildcards that a glob may have in one name: with each further one, a file's name of 200 letters takes some fifty times as long. */
const MAX_WILDCARDS = 4
/** `+(*a)`, `+([a-z]|a)`: in how many ways a name is divided among the repeats doubles with each of its letters. */
const DOUBLING = /[*+]\([^)]*[*+?|]/
/** An innermost group, with its alternatives. */
const GROUP = /[{(]([^{}()]*)[})]/g

/** Whether comparing a file's name with a glob may take minutes: each division of the name among the wildcards is tried. */
export function isExpensiveGlob(glob: string): boolean {
  if (DOUBLING.test(glob)) return true
  // What repeats and what negates a group is a wildcard too; its own are others.
  let names = glob.replaceAll(/[*+!]\(/g, '*\0(')
  for (let before = ''; before !== names; ) {
    before = names
    names = names.replaceAll(GROUP, (_, alternatives: string) => alternatives.split(/[,|]/).reduce(withMoreWildcards))
  }
  return names.split(/[\\/]/).some((name) => wildcardsIn(name) > MAX_WILDCARDS)
}

function withMoreWildcards(one: string, other: string): string {
  return wildcardsIn(other) > wildcardsIn(one) ? other : one
}

function wildcardsIn(text: string): number {
  return text.match(/\*+/g)?.length ?? 0
}
