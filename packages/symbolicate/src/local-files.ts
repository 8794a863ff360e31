import { stat } from 'node:fs/promises'
import type { ArtifactSource, SymbolFileKind } from './artifacts.ts'
import { artifactSourceOf } from './upload-source.ts'

/**
 * Returns a source that uses files on disk to resolve the stacks from one platform, regardless of the release.
 * @param parts the path of each part of the upload, keyed by part name.
 * @throws the file system error if a file cannot be read.
 */
export async function localSymbolFiles(
  kind: SymbolFileKind,
  parts: Readonly<Record<string, string>>,
): Promise<ArtifactSource> {
  for (const path of Object.values(parts)) await stat(path)
  return {
    ...artifactSourceOf([]),
    findSymbolFiles: async (query) =>
      query.kind === kind
        ? [
            {
              ...query,
              contentKey: JSON.stringify(parts),
              open: async (name) => (Object.hasOwn(parts, name) ? parts[name] : undefined),
            },
          ]
        : [],
  }
}
