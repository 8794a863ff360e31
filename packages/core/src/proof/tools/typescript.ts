import type { Tool } from './tool.ts'

/**
 * Matches the TypeScript helpers (tslib) for generators, decorators, imports, iterator closing and object rest. swc also uses these
 * helpers.
 */
export const typescript: Tool = {
  name: 'TypeScript',
  marks: /importStar|importDefault|\btrys\b|Reflect\.(?:decorate|metadata)|&& ?\([\w$]+ ?= ?[\w$]+\.return\)/,
  pieces: [
    /\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\2\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\3\[\2(?:\+\+)?\]\)\s*<\s*0/g,
  ],
}
