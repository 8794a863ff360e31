import type { Setting } from './settings.ts'

/**
 * The proxy for an address according to environment variables, and the excluded hosts: `https_proxy` or `http_proxy`
 * depending on the scheme, otherwise `all_proxy`. Upper-case names also work; lower case wins, as in curl.
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
