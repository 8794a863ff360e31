import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Adapter } from './definition.ts'
import { adviceFor, namesIn } from './other-uploaders.ts'
import { didYouMean } from './suggest.ts'
import { DEFINITIONS, nameIn } from './table.ts'
import { readValue } from './values.ts'

/**
 * Names that an adapter does not have, and values that it cannot use. The values of settings (options with an environment variable) are
 * left to the one who resolves them, as another source may set them too.
 */
export function checkOptions(adapter: Adapter, options: Readonly<Record<string, unknown>>): Problem[] {
  const known = DEFINITIONS.flatMap(([name, definition]) =>
    nameIn(adapter, name) === undefined ? [] : [[name, definition] as const],
  )
  const names = known.map(([own]) => own)
  const problems: Problem[] = []
  let isListed = false
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue
    const found = known.find(([own, { formerly }]) => own === name || formerly === name)
    if (found === undefined) {
      for (const written of namesIn(name, value)) {
        const advice = adviceFor(written, names)
        const hint = advice === undefined ? didYouMean(written, names) : ''
        // They are a long list, which is shown once.
        const fix =
          advice ?? (isListed ? undefined : t`Correct the spelling or remove it. The options are: ${names.join(', ')}.`)
        if (advice === undefined) isListed = true
        problems.push(problem('option-unknown', t`There is no option "${written}".${hint}`, { fix }))
      }
      continue
    }
    const [, definition] = found
    if (definition.env !== undefined) continue
    const read = readValue(definition, value)
    if ('flaw' in read) problems.push(problem('value-invalid', sentence(t`The option "${name}" ${read.flaw}`)))
  }
  return problems
}

/** Ends a sentence that may have ended already, with a question. */
export function sentence(text: string): string {
  return /[.?。？]$/.test(text) ? text : t`${text}.`
}
