import { addressOfBundle } from '@symup/core/resolving'
import { INDEX_PART, type ScriptArtifact } from '@symup/symbolicate'
import type { ArtifactRow } from '../../platform/database/schema.ts'
import { indexName, indexPath } from '../store/map-indexes.ts'
import type { Store } from '../store/store.ts'

interface PartRow {
  part: string
  filename: string
  sha256: string
  bytes: number
}

export type ScriptRow = PartRow &
  Pick<ArtifactRow, 'id' | 'service' | 'version' | 'path' | 'debug_id' | 'updated_at' | 'event'>

/** @param rows at least one part of the artifact, sorted by name. */
export function scriptArtifact(rows: readonly ScriptRow[], { blobs, readPart }: Store): ScriptArtifact {
  const { id, service, version, path, debug_id: debugId, updated_at: uploadedAt, event } = rows[0] as ScriptRow
  const parts = rows.filter(({ part }) => part !== INDEX_PART)
  const map = parts.find(({ part }) => part === 'source_map')
  const script = parts.find(({ part }) => part === 'minified_file' || part === 'bundle')
  const index = rows.find(({ part, filename }) => part === INDEX_PART && filename === indexName(script?.sha256))
  return {
    ...{ service, version, path },
    ...addressIn(event),
    ...(debugId !== null && { debugId }),
    uploadedAt,
    contentKey: parts.map(({ part, sha256 }) => `${part}:${sha256}`).join(),
    async locate(part) {
      if (part === 'index') return index && indexPath(blobs, index.sha256)
      const file = part === 'map' ? map : script
      return file && blobs.localPath(file.sha256)
    },
    ...(blobs.isDistant && {
      async distantMap() {
        return map && blobs.isDistant?.(map.sha256) ? { content: map.sha256, size: map.bytes } : undefined
      },
    }),
    readMap: async () => (await readPart(id, 'source_map')) ?? Buffer.alloc(0),
    readScript: async () => script && readPart(id, script.part),
  }
}

/** Returns the URL in the event, or the name of a React Native bundle. */
export function addressIn(event: string): { address?: string } {
  const { minified_url: address, bundle_name: bundle } = JSON.parse(event) as Record<string, unknown>
  if (typeof address === 'string') return { address }
  return typeof bundle === 'string' ? { address: addressOfBundle(bundle) } : {}
}
