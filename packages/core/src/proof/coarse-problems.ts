import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { named as shownNames, shownSource } from './sources.ts'

/** Problems for sources with too few mappings, one sentence per kind. */
export function coarseProblems(
  file: string,
  { coarse, obfuscated, templates }: Record<'coarse' | 'obfuscated' | 'templates', ReadonlySet<number>>,
  names: readonly string[],
): Problem[] {
  const messages = [
    coarse.size > 0 &&
      t`Throws and calls in ${shownOf(coarse, names)} lead to other lines than their own: it has too few mappings, as when a transform returns a coarse map.`,
    obfuscated.size > 0 &&
      t`The map holds an obfuscator's output in place of ${shownOf(obfuscated, names)}: stacks lead to lines of that.`,
  ]
  const found = messages.flatMap((message) => (message ? problem('map-low-resolution', message, { file }) : []))
  return templates.size === 0 ? found : [...found, templatesProblem(file, shownOf(templates, names))]
}

export function compiledProblems(file: string, compiled: ReadonlySet<number>, names: readonly string[]): Problem[] {
  if (compiled.size === 0) return []
  const message = t`Stacks lead to compiled JavaScript: the bundler did not follow the source map of ${shownOf(compiled, names)}.`
  return [problem('map-not-composed', message, { file })]
}

function shownOf(sources: ReadonlySet<number>, names: readonly string[]): string {
  return shownNames([...sources].map((source) => shownSource(names[source] ?? '')))
}

function templatesProblem(file: string, components: string): Problem {
  const message = t`Stacks from the template of ${components} lead to lines of the script: no mapping leads into it.`
  const fix = t`Update Vue to 3.5.14 or later: before that its compiler makes no map of a template that belongs to a <script setup>.`
  return problem('map-incomplete', message, { file, fix })
}
