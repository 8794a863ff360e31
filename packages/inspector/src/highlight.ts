import { useEffect, useState } from 'preact/hooks'
import type { Highlighter, Token } from './highlighter.ts'

const SCRIPT = /\.(?:[cm]?[jt]sx?|ets)(?:\?.*)?$/i
/** Maximum number of characters to highlight. Highlighting longer code would take too long. */
const MAX_LENGTH = 200_000

let loading: Promise<Highlighter> | undefined

/**
 * The grammar is loaded when code is shown for the first time.
 * @returns undefined if the code is not highlighted.
 */
export function useTokens(code: string | undefined, fileName: string | undefined): Token[][] | undefined {
  const [tokens, setTokens] = useState<{ code: string; lines: Token[][] }>()
  const isWanted = code !== undefined && code.length <= MAX_LENGTH && fileName !== undefined && SCRIPT.test(fileName)
  useEffect(() => {
    if (!isWanted) return
    loading ??= import('./highlighter.ts').then(({ highlight }) => highlight)
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCurrent = true
    loading.then(
      (highlight) => {
        // Highlighting starts only after the plain code is visible.
        if (isCurrent) timer = setTimeout(() => setTokens({ code, lines: highlight(code) }))
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isWanted, code])
  return tokens?.code === code ? tokens?.lines : undefined
}

export type { Token }
