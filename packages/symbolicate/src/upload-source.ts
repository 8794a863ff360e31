import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FilePart, SymbolUpload } from '@symup/core'
import type { ArtifactSource, ScriptArtifact, SymbolFile, SymbolFileKind } from './artifacts.ts'
import { bytesInFile, bytesInMemory } from './stored-bytes.ts'
import { fileNameOf, urlPath } from './url-path.ts'

/** Lets a stack be resolved from a plan, before or without any upload. */
export function artifactSourceOf(uploads: readonly SymbolUpload[]): ArtifactSource {
  const artifacts = uploads.flatMap((upload) => artifactOf(upload) ?? [])
  const files = uploads.flatMap((upload) => symbolFileOf(upload) ?? [])
  return {
    ...scriptsOf(artifacts),
    async findSymbolFiles({ kind, service, version, variant, buildId }, limit) {
      const fits = (it: SymbolFile) =>
        it.kind === kind &&
        it.service === service &&
        it.version === version &&
        (variant === undefined || it.variant === variant) &&
        (buildId === undefined || it.buildId === buildId)
      return files.filter(fits).slice(0, limit)
    },
    async releasesWith(kind, limit) {
      return files.filter((it) => it.kind === kind).slice(0, limit)
    },
  }
}

/** What is recorded of an upload whose files are not at hand. */
type RecordedUpload = Pick<ScriptArtifact, 'path'> &
  Partial<Pick<ScriptArtifact, 'service' | 'version' | 'uploadedAt' | 'elsewhere'>>

/** Lets it be said what of a stack was uploaded, from records alone. */
export function recordedSource(records: readonly RecordedUpload[]): ArtifactSource {
  const artifacts = records.map(({ service = '', version = '', path, uploadedAt, elsewhere = '' }) => ({
    ...{ service, version, path: urlPath(path), contentKey: '', elsewhere },
    ...(uploadedAt !== undefined && { uploadedAt }),
    readMap: async () => new Uint8Array(),
    readScript: async () => undefined,
  }))
  return scriptsOf(artifacts.reverse())
}

function scriptsOf(artifacts: readonly ScriptArtifact[]): ArtifactSource {
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

function artifactOf({ event, parts }: SymbolUpload): ScriptArtifact | undefined {
  const map = parts.find(({ name }) => name === 'source_map')
  const script = parts.find(({ name }) => name === 'minified_file')
  const isBundle = event.type === 'react_native_sourcemap'
  if (!(isBundle || event.type === 'js_sourcemap') || !map) return undefined
  return {
    service: event.service,
    version: event.version,
    path: urlPath(isBundle ? event.bundle_name : event.minified_url),
    ...(!isBundle && event.debug_id !== undefined && { debugId: event.debug_id.toLowerCase() }),
    contentKey: contentKeyOf([map]),
    readMap: () => read(map),
    readScript: async () => (script ? read(script) : undefined),
  }
}

const KINDS: readonly string[] = ['jvm_mapping_file', 'harmony_sourcemap'] satisfies SymbolFileKind[]

function symbolFileOf({ event, parts }: SymbolUpload): SymbolFile | undefined {
  const { type, service, version, variant, build_id: buildId } = event as unknown as Partial<Record<string, string>>
  if (type === undefined || !KINDS.includes(type)) return undefined
  return {
    kind: type as SymbolFileKind,
    service: service ?? '',
    version: version ?? '',
    ...(variant !== undefined && { variant }),
    ...(buildId !== undefined && { buildId }),
    contentKey: contentKeyOf(parts),
    async open(name) {
      const part = parts.find((it) => it.name === name)
      return part && (part.content ? bytesInMemory(part.content) : bytesInFile(part.path))
    },
  }
}

function contentKeyOf(parts: readonly FilePart[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes, content } of parts) hash.update(content ?? `${path}\n${bytes}\n`)
  return hash.digest('hex')
}

async function read({ content, path }: FilePart): Promise<Uint8Array> {
  return content ?? readFile(path)
}
