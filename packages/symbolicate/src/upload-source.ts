import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FilePart, SymbolUpload } from '@symup/core'
import type { ArtifactSource, ScriptArtifact } from './artifacts.ts'
import { fileNameOf, urlPath } from './url-path.ts'

/** Lets a stack be resolved from a plan, before or without any upload. */
export function artifactSourceOf(uploads: readonly SymbolUpload[]): ArtifactSource {
  const artifacts = uploads.flatMap((upload) => artifactOf(upload) ?? [])
  const unique = (values: string[]) => [...new Set(values)]
  return {
    async findScript({ service, version, path }) {
      return artifacts.find((it) => it.service === service && it.version === version && it.path === path)
    },
    async findScriptByDebugId(debugId, { service, version }) {
      const same = artifacts.filter((it) => it.debugId === debugId)
      return same.find((it) => it.service === service && it.version === version) ?? same.at(-1)
    },
    async findScriptsNamed(fileName, limit) {
      return artifacts.filter(({ path }) => fileNameOf(path) === fileName).slice(0, limit)
    },
    async versionsOf(service) {
      return unique(artifacts.filter((it) => it.service === service).map(({ version }) => version))
    },
    async services() {
      return unique(artifacts.map(({ service }) => service)).sort()
    },
  }
}

function artifactOf({ event, parts }: SymbolUpload): (ScriptArtifact & { debugId: string | undefined }) | undefined {
  const map = parts.find(({ name }) => name === 'source_map')
  const script = parts.find(({ name }) => name === 'minified_file')
  if (event.type !== 'js_sourcemap' || !map) return undefined
  return {
    service: event.service,
    version: event.version,
    path: urlPath(event.minified_url),
    debugId: event.debug_id?.toLowerCase(),
    contentKey: createHash('sha256').update(`${map.path}\n${map.bytes}`).digest('hex'),
    readMap: () => read(map),
    readScript: async () => (script ? read(script) : undefined),
  }
}

async function read({ content, path }: FilePart): Promise<Uint8Array> {
  return content ?? readFile(path)
}
