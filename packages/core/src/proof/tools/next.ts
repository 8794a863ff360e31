import type { Tool } from './tool.ts'

/**
 * Next's package contains maps with relative names. webpack resolves them as if they were the project's
 * (`webpack://_N_E/../../src/client/index.tsx`; on the server with the project's name instead of `_N_E`).
 */
export const next: Tool = {
  name: 'Next.js',
  own: [
    {
      names: /^webpack:\/\/[^/]*\/(?:\.\.\/)+src\/(?:api|build|client|export|lib|next-devtools|pages|server|shared)\//,
      beside: /^webpack:\/\/_N_E\/|\/node_modules\/next\/dist\/|^webpack:\/\/[^/]*\/\?[0-9a-f]+$/,
    },
  ],
}
