import { createJavaScriptRawEngine } from '@shikijs/engine-javascript/raw'
import tsx from '@shikijs/langs-precompiled/tsx'
import { codeToTokensBase, createShikiPrimitive } from '@shikijs/primitive'

export interface Token {
  text: string
  /** CSS class for the token; empty for plain text. */
  kind: string
}

export type Highlighter = (code: string) => Token[][]

/** TextMate scopes by CSS class. Classes let the style sheet define the colors for each theme. */
const KINDS: Readonly<Record<string, string[]>> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string'],
  literal: ['constant.numeric', 'constant.language', 'constant.character'],
  keyword: ['keyword.control', 'storage', 'keyword.operator.new', 'keyword.operator.expression', 'variable.language'],
  function: ['entity.name.function', 'support.function'],
  type: ['entity.name.type', 'support.type', 'support.class', 'entity.name.tag'],
}
const NAMES = Object.keys(KINDS)
/** Highlighter themes can contain only colors, so each CSS class is encoded as a color. */
const colorOf = (nth: number) => `#00000${nth}`

const PLAIN = { settings: { foreground: colorOf(0) } }
const theme = {
  name: 'kinds',
  settings: [
    PLAIN,
    ...NAMES.map((kind, index) => ({ scope: KINDS[kind] as string[], settings: { foreground: colorOf(index + 1) } })),
  ],
}
const engine = createJavaScriptRawEngine()
const shiki = createShikiPrimitive({ langs: [tsx], themes: [theme], engine })

export const highlight: Highlighter = (code) =>
  codeToTokensBase(shiki, code, { lang: 'tsx', theme: 'kinds' }).map((line) =>
    line.map(({ content, color }) => ({ text: content, kind: NAMES[Number(color?.at(-1) ?? 0) - 1] ?? '' })),
  )
