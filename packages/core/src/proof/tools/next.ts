import type { Tool } from './tool.ts'

/**
 * The maps in the Next.js package contain relative names, which webpack resolves as if the sources belonged to the project:
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
