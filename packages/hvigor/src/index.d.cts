declare namespace symup {
  /** See the options table of the package's README. */
  interface SymupOptions {
    apiKey?: string
    endpoint?: string
    site?: string
    service?: string
    version?: string
    ignoreConfigFile?: boolean
    enabled?: boolean
    includeDebug?: boolean
    onError?: 'fail' | 'warn'
    hvigor?: { getParameter(): { getExtParam(key: string): string | undefined } }
  }

  export { symup, symup as default }
}
declare function symup(options?: symup.SymupOptions): { pluginId: string; apply(node: unknown): void }
export = symup
