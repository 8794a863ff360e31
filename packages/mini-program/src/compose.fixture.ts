import type { MapSources } from './sources.ts'

/** Sources with these maps, all for the given script, if any. */
export function sourcesOf(
  maps: Readonly<Record<string, string>>,
  { script, onRead = () => undefined }: { script?: string; onRead?: () => unknown } = {},
): MapSources {
  return {
    maps: Object.entries(maps).map(([entry, text]) => ({
      entry,
      file: entry,
      ...(script !== undefined && { script }),
      async *content() {
        onRead()
        yield Buffer.from(text)
      },
    })),
    subPackages: [],
    problems: [],
    close: async () => undefined,
  }
}

export const mapWith = (fields: object) =>
  JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA', ...fields })
