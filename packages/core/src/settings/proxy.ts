import type { Setting } from './settings.ts'

/**
 * The proxy that the usual variables name for an address, and the hosts that they except: `https_proxy` or `http_proxy` by the address's
 * scheme, else `all_proxy`; each also in capitals, the small letters first, as curl reads them.
 */
export function proxyFromEnvironment(
  endpoint: string,
  env: NodeJS.ProcessEnv,
): { proxy?: Setting<string>; noProxy?: Setting<string> } {
  const read = (...names: string[]): Setting<string> | undefined => {
    for (const name of names.flatMap((lower) => [lower, lower.toUpperCase()])) {
      const value = env[name]
      if (value) return { value, from: { kind: 'environment', name }, overrode: [] }
    }
    return undefined
  }
  const proxy = read(`${new URL(endpoint).protocol.slice(0, -1)}_proxy`, 'all_proxy')
  if (proxy === undefined) return {}
  const noProxy = read('no_proxy')
  return { proxy, ...(noProxy && { noProxy }) }
}
