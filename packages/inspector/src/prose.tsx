import type { JSX } from 'preact'

/** A sentence of the intake. What stands between backticks is code. */
export function Prose({ text }: { text: string }): JSX.Element {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
}
