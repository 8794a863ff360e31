import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './words.ts'

interface CopyButtonProps {
  text: string | (() => string)
  /** Describes the copied content to screen readers. */
  what?: string
  children?: ComponentChildren
}

const SHOWN_MS = 2000

export function CopyButton({ text, what, children = t('copy') }: CopyButtonProps): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => void copy()}>
        {isCopied ? t('copied') : children}
        {what !== undefined && <span class="hidden"> {what}</span>}
      </button>
      <span role="status" class="hidden">
        {isCopied && t('copied')}
      </span>
    </>
  )
}

export function Command({ text, what }: { text: string; what: string }): JSX.Element {
  return (
    <div class="command">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
