import type { Tool } from './tool.ts'

/**
 * Matches the helpers of TypeScript (tslib), which swc also uses, for generators, decorators, imports, the end of loops, and object rest.
 */
export const typescript: Tool = {
  name: 'TypeScript',
  marks: /importStar|importDefault|\btrys\b|Reflect\.(?:decorate|metadata)|&& ?\([\w$]+ ?= ?[\w$]+\.return\)/,
  pieces: [
    /\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\2\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\3\[\2(?:\+\+)?\]\)\s*<\s*0/g,
  ],
}
