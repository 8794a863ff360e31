import type { Tool } from './tool.ts'

/** Its helpers (tslib), which swc has too: generators, decorators, imports, the ends of loops, and the rest of an object. */
export const typescript: Tool = {
  name: 'TypeScript',
  marks: /importStar|importDefault|\btrys\b|Reflect\.(?:decorate|metadata)|&& ?\([\w$]+ ?= ?[\w$]+\.return\)/,
  pieces: [
    /\.getOwnPropertySymbols\(([\w$]+)\);\s*([\w$]+)\s*<\s*([\w$]+)\.length;\s*(?:\2\+\+)?\)\s*\{?\s*(?:if\s*\()?[\w$]+\.indexOf\(\3\[\2(?:\+\+)?\]\)\s*<\s*0/g,
  ],
}
