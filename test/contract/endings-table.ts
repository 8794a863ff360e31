// How a run ends: failure × adapter × what the adapter does about failures. `docs/evidence/endings.md` is generated
// from this table; endings.test.ts runs each cell.

export interface Failure {
  env?: Record<string, string>
  answer?: number
  config?: string
  /** The command does not start: like for an unknown flag, it ends with 2, and nothing is searched. */
  isUsage?: true
  /** Without a key, there is nothing to search for. */
  hasNoKey?: true
}

export const FAILURES: Record<string, Failure> = {
  'a CA file that is missing': { env: { SYMUP_CA: 'none.pem' } },
  'a CA file that is not PEM': { env: { SYMUP_CA: 'no.pem' } },
  'a CA file that is a directory': { env: { SYMUP_CA: 'dist' } },
  'a proxy that speaks SOCKS': { env: { SYMUP_PROXY: 'socks5://127.0.0.1:1' } },
  'a proxy that is no address': { env: { http_proxy: '::::' } },
  'a config file that is no JSON': { config: '{' },
  'a language that is not there': { env: { SYMUP_LANG: 'xx' }, isUsage: true },
  'an endpoint with a query': { env: { SYMUP_ENDPOINT: 'http://h/?key=1' } },
  'no key': { env: { SYMUP_API_KEY: '' }, hasNoKey: true },
  'an intake that is away': { env: { SYMUP_ENDPOINT: 'http://127.0.0.1:1' } },
  'a refused key': { answer: 401 },
  'an artifact that is too large': { answer: 413 },
  'a broken intake': { answer: 500 },
  'a cache below /proc': { env: { SYMUP_CACHE_DIR: '/proc/symup/cache' }, answer: 500 },
}

/** All of them delete the maps. */
export const COLUMNS = [
  "plugin, onError: 'warn'",
  'plugin',
  "plugin, onError: 'fail'",
  "plugin, 'warn', failOnFindings",
  'command',
  'command, --policy local',
  'command, --policy ci',
  'command, all but config',
  'command, --skip-without-key',
] as const

/** In the order of {@link COLUMNS}: exit code; `left`: maps are in the output and a line warns; `before`: the build does not start. */
export const CELLS: Readonly<Record<string, readonly string[]>> = {
  'a CA file that is missing': ['0', '1', '1', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a CA file that is not PEM': ['0', '1', '1', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a CA file that is a directory': ['0', '1', '1', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a proxy that speaks SOCKS': ['0', '1', '1', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a proxy that is no address': ['0', '1', '1', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a config file that is no JSON': ['0', 'before', 'before', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'a language that is not there': [
    '0',
    'before',
    'before',
    '0',
    '2 left (no warning)',
    '2 left (no warning)',
    '2 left (no warning)',
    '2 left (no warning)',
    '2 left (no warning)',
  ],
  'an endpoint with a query': ['0', 'before', 'before', '0', '2 left', '2 left', '2 left', '0 left', '2 left'],
  'no key': ['0', '0', 'before', '0', '2 left', '2 left', '2 left', '0 left', '0 left'],
  'an intake that is away': ['0', '0', '1', '0', '1 left', '0 left', '0 left', '0 left', '0 left'],
  'a refused key': ['0', '1', '1', '0', '1 left', '1 left', '1 left', '0 left', '1 left'],
  'an artifact that is too large': ['0', '0', '1', '0', '1 left', '0 left', '1 left', '0 left', '0 left'],
  'a broken intake': ['0', '0', '1', '0', '1 left', '0 left', '0 left', '0 left', '0 left'],
  'a cache below /proc': ['0 left', '1 left', '1 left', '1 left', '1 left', '0 left', '0 left', '0 left', '0 left'],
}
