import type { Localized } from '../errors.ts'
import type { Operation } from '../operation.ts'

const titles = new Map<string, Localized>()

/** What people call an operation, as far as this intake knows it. */
export function titleOf(name: string): Localized | undefined {
  return titles.get(name)
}

export function allTitles(): readonly (readonly [name: string, title: Localized])[] {
  return [...titles]
}

/** Makes operations known to the audit log, which is itself one of them. */
export function entitle(operations: readonly Operation[]): readonly Operation[] {
  for (const { name, title } of operations) titles.set(name, title)
  return operations
}
