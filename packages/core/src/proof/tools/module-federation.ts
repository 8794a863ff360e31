import type { Tool } from './tool.ts'

/** Its runtime, which Rspack makes of a text. */
export const moduleFederation: Tool = {
  name: 'Module Federation',
  marks: /__mf[A-Z_]|__FEDERATION__/,
  virtual: /__mfe_internal__|^(?:webpack:\/\/[^/]*\/)?(?:data:|==|module_federation\/runtime$)/,
}
