import type { Tool } from './tool.ts'

/** Matches the Module Federation runtime, which Rspack generates from a string. */
export const moduleFederation: Tool = {
  name: 'Module Federation',
  marks: /__mf[A-Z_]|__FEDERATION__/,
  virtual: /__mfe_internal__|^(?:webpack:\/\/[^/]*\/)?(?:data:|==|module_federation\/runtime$)/,
}
