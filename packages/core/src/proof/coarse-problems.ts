import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { named as shownNames, shownSource } from './sources.ts'
import { compilerOf, templateFix, templateLinesMessage } from './tools/index.ts'

/** Returns problems for sources that have too few mappings. Sources with the same cause share a problem. */
export function coarseProblems(
  file: string,
  { coarse, obfuscated, templates }: Record<'coarse' | 'obfuscated' | 'templates', ReadonlySet<number>>,
  names: readonly string[],
): Problem[] {
  const found: Problem[] = []
  if (coarse.size > 0) {
    const message = t`Throw statements and calls in ${shownOf(coarse, names)} resolve to wrong lines because the source map has too few mappings. For example, a transform may have returned a coarse map.`
    const compiler = compilerOf([...coarse].map((source) => names[source] ?? ''))
    const fix = compiler && t`Update ${compiler}, and turn on source maps for its preprocessors.`
    found.push(problem('map-low-resolution', message, { file, ...(fix !== undefined && { fix }) }))
  }
  if (obfuscated.size > 0) {
    const message = t`The source map contains the output of an obfuscator instead of ${shownOf(obfuscated, names)}, so stacks resolve to lines in that output.`
    const fix = t`Run the obfuscator after the bundler, or configure it to return a source map.`
    found.push(problem('map-low-resolution', message, { file, fix }))
  }
  return templates.size === 0 ? found : [...found, templatesProblem(file, shownOf(templates, names))]
}

export function compiledProblems(file: string, compiled: ReadonlySet<number>, names: readonly string[]): Problem[] {
  if (compiled.size === 0) return []
  const message = t`Stacks resolve to compiled JavaScript because the bundler did not read the source map of ${shownOf(compiled, names)}.`
  return [problem('map-not-composed', message, { file })]
}

export function templateLineProblems(
  file: string,
  { templateLines: { found }, names }: Pick<ScriptEvidence, 'templateLines' | 'names'>,
): Problem[] {
  if (found.size === 0) return []
  const positions = [...found.values()].reduce((sum, { size }) => sum + size, 0)
  const components = shownOf(new Set(found.keys()), names)
  const message = templateLinesMessage(positions, components)
  const fix = t`Write the template expression on one line, or move it into a computed property.`
  return [problem('map-low-resolution', message, { file, fix, severity: 'info' })]
}

function shownOf(sources: ReadonlySet<number>, names: readonly string[]): string {
  return shownNames([...sources].map((source) => shownSource(names[source] ?? '')))
}

function templatesProblem(file: string, components: string): Problem {
  const message = t`Stacks from the template of ${components} resolve to lines in its script because the template has no mappings.`
  return problem('map-incomplete', message, { file, fix: templateFix() })
}
