import type { ComponentChildren, JSX } from 'preact'
import { t, type Word } from './words.ts'

/** A row of a `<dl>`. */
export function Fact({ name, children }: { name: Word; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
