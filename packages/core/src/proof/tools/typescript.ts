import type { Tool } from './tool.ts'

/** TypeScript's helpers (tslib), which swc also uses: generators, decorators, imports, loop ends, and object rest. */
export const typescript: Tool = {
  name: 'TypeScript',
  marks: /importStar|importDefault|\btrys\b|Reflect\.(?:decorate|metadata)|&& ?\([\w$]+ ?= ?[\w$]+\.return\)/,
  pieces: [
    /\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\2\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\3\[\2(?:\+\+)?\]\)\s*<\s*0/g,
  ],
}
