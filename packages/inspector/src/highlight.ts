import { useEffect, useState } from 'preact/hooks'
import type { Highlighter, Token } from './highlighter.ts'

/** Files that the loaded grammar supports. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|ets)(?:\?.*)?$/i
/** Highlighting a longer text would take too long. */
const MAX_LENGTH = 200_000

let loaded: Highlighter | undefined
let loading: Promise<Highlighter> | undefined

/** Lines of code as coloured tokens; undefined if it stays plain. The grammar is loaded with the first code. */
export function useTokens(code: string | undefined, fileName: string | undefined): Token[][] | undefined {
  const [{ highlighter }, setHighlighter] = useState<{ highlighter?: Highlighter }>(
    loaded ? { highlighter: loaded } : {},
  )
  const [tokens, setTokens] = useState<{ code: string; lines: Token[][] }>()
  const isWanted = code !== undefined && code.length <= MAX_LENGTH && fileName !== undefined && SCRIPT.test(fileName)
  useEffect(() => {
    if (!isWanted || highlighter) return
    loading ??= import('./highlighter.ts').then(({ highlight }) => highlight)
    loading.then(
      (it) => {
        loaded = it
        setHighlighter({ highlighter: it })
      },
      // On failure the code stays uncoloured.
      () => undefined,
    )
  }, [isWanted, highlighter])
  useEffect(() => {
    if (!isWanted || !highlighter) return
    // After the code itself is visible.
    const timer = setTimeout(() => setTokens({ code, lines: highlighter(code) }))
    return () => clearTimeout(timer)
  }, [isWanted, highlighter, code])
  return tokens?.code === code ? tokens?.lines : undefined
}

export type { Token }
