/**
 * The maximum number of wildcards in one path segment of a glob. Each additional wildcard makes matching a file name of 200 letters about
 * fifty times slower.
 */
const MAX_WILDCARDS = 4
/** Matches a repeated group up to the first closing parenthesis. */
const REPEATED = /[*+]\(([^)]*)/g
/** Matches an innermost group with its alternatives. */
const GROUP = /[{(]([^{}()]*)[})]/g

/**
 * Tests whether matching a file name against the glob may take minutes. The matcher tries every way to divide the name among the wildcards
 * and repeated groups.
 */
export function isExpensiveGlob(glob: string): boolean {
  if ([...glob.matchAll(REPEATED)].some(([, alternatives = '']) => isAmbiguous(alternatives))) return true
  // The operator of a repeated or negated group counts as a wildcard. The content of the group is counted separately.
  let names = glob.replaceAll(/[*+!]\(/g, '*\0(')
  for (let before = ''; before !== names; ) {
    before = names
    names = names.replaceAll(GROUP, (_, alternatives: string) => alternatives.split(/[,|]/).reduce(withMoreWildcards))
  }
  return names.split(/[\\/]/).some((name) => wildcardsIn(name) > MAX_WILDCARDS)
}

/**
 * Tests whether repeated alternatives can match the same name in more than one way. For example, `+(*a)` and `+(a|aa)` can, but `+(js|jsx)`
 * cannot. If the alternatives are ambiguous, each additional letter doubles the number of ways.
 */
function isAmbiguous(alternatives: string): boolean {
  const words = alternatives.split('|')
  if (/[*+?({]/.test(alternatives) || (words.length > 1 && alternatives.includes('['))) return true
  const mayContinue = (rest: string) => words.some((word) => word.startsWith(rest) || rest.startsWith(word))
  return words.some((word, index) =>
    words.some((other, nth) => nth !== index && word.startsWith(other) && mayContinue(word.slice(other.length))),
  )
}

function withMoreWildcards(one: string, other: string): string {
  return wildcardsIn(other) > wildcardsIn(one) ? other : one
}

function wildcardsIn(text: string): number {
  return text.match(/\*+/g)?.length ?? 0
}
