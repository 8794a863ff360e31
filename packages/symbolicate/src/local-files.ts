import { stat } from 'node:fs/promises'
import type { ArtifactSource, SymbolFileKind } from './artifacts.ts'
import { bytesInFile } from './stored-bytes.ts'
import { artifactSourceOf } from './upload-source.ts'

/**
 * Lets stacks of one platform be resolved with files on disk, whatever release they say they are of.
 * @param parts path of each part of the upload, by the part's name.
 * @throws the file system's error when one of them cannot be read.
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
              open: async (name) => (Object.hasOwn(parts, name) ? bytesInFile(parts[name] as string) : undefined),
            },
          ]
        : [],
  }
}
