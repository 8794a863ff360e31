import type { ComponentChildren, JSX } from 'preact'
import { t, type Word } from './words.ts'

/** The intake uses backticks to mark code in messages. */
export function Prose({ text }: { text: string }): JSX.Element {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
}

/** Must be inside a `<dl>`. */
export function Fact({ name, children }: { name: Word; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
