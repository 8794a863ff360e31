import type { Tool } from './tool.ts'

/**
 * The Next.js package contains maps with relative names. webpack resolves them as if they belonged to the project:
 * `webpack://_N_E/../../src/client/index.tsx`. On the server, the name of the project replaces `_N_E`.
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
