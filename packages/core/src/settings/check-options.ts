import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Adapter } from './definition.ts'
import { adviceFor, namesIn } from './other-uploaders.ts'
import { didYouMean } from './suggest.ts'
import { DEFINITIONS, nameIn } from './table.ts'
import { readValue } from './values.ts'

/**
 * Reports unusable values, and options that the adapter does not support. The values of settings (options with an environment variable) are
 * checked later, because another source may also set them.
 */
export function checkOptions(adapter: Adapter, options: Readonly<Record<string, unknown>>): Problem[] {
  const known = DEFINITIONS.flatMap(([name, definition]) =>
    nameIn(adapter, name) === undefined ? [] : [[name, definition] as const],
  )
  const names = known.map(([own]) => own)
  let isListed = false
  const unknown = (name: string): Problem => {
    const advice = adviceFor(name, names)
    const hint = advice === undefined ? didYouMean(name, names) : ''
    const fix =
      advice ??
      (isListed ? undefined : t`Correct the spelling or remove the option. Available options: ${names.join(', ')}.`)
    isListed ||= advice === undefined
    return problem('option-unknown', t`The option "${name}" does not exist.` + hint, { fix })
  }
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const found = known.find(([own, { formerly }]) => own === name || formerly === name)
    if (found === undefined) return namesIn(name, value).map(unknown)
    const [, definition] = found
    const read = definition.env === undefined ? readValue(definition, value) : undefined
    return read && 'flaw' in read ? [problem('value-invalid', read.flaw(t`The option "${name}"`))] : []
  })
}
