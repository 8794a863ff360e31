import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  addressOfBundle,
  BinaryError,
  describeFlutterSymbols,
  type FilePart,
  fileNameOf,
  openBinary,
  type SymbolUpload,
  urlPath,
  withBinary,
} from '@symup/core/resolving'
import type { ArtifactSource, FlutterArtifact, Release, ScriptArtifact, SymbolFile } from './artifacts.ts'

/** Creates a source from the files in an upload plan, so that stacks can be resolved without an upload. */
export function artifactSourceOf(uploads: readonly SymbolUpload[]): ArtifactSource {
  const artifacts = uploads.flatMap((upload) => artifactOf(upload) ?? [])
  const files = uploads.map(symbolFileOf)
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
    async releasesWith(kind, limit, of = {}) {
      return files.filter((it) => it.kind === kind && isOf(it, of)).slice(0, limit)
    },
    async findFlutter({ buildId }, limit) {
      const all = uploads.flatMap((upload) => flutterOf(upload) ?? [])
      return all.filter((it) => buildId === undefined || it.buildId === buildId).slice(0, limit)
    },
  }
}

function isOf(it: Release, { service = it.service, version = it.version }: Partial<Release>): boolean {
  return it.service === service && it.version === version
}

function flutterOf({ event, parts: [part] }: SymbolUpload): FlutterArtifact | undefined {
  if (event.type !== 'flutter_symbol_file' || !part) return undefined
  const { platform, arch, flavor } = event
  const buildId = flutterIdOf(part.path)
  return {
    platform,
    arch,
    flavor,
    ...(buildId !== undefined && { buildId }),
    contentKey: contentKeyOf([part]),
    file: part.path,
    open: () => openBinary(part.path),
  }
}

function flutterIdOf(path: string): string | undefined {
  try {
    return withBinary(path, describeFlutterSymbols).buildId
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return undefined
  }
}

type RecordedUpload = Pick<ScriptArtifact, 'path'> &
  Partial<Pick<ScriptArtifact, 'service' | 'version' | 'uploadedAt' | 'unavailableFix'>>

/**
 * Creates a source that contains only the records of uploads. Without the files, the source can determine whether the files for a stack
 * were uploaded, but it cannot resolve frames.
 */
export function recordedSource(records: readonly RecordedUpload[]): ArtifactSource {
  const artifacts = records.map(({ service = '', version = '', path, uploadedAt, unavailableFix = '' }) => ({
    ...{ service, version, path: urlPath(path), address: path, contentKey: '', unavailableFix },
    ...(uploadedAt !== undefined && { uploadedAt }),
    readMap: async () => new Uint8Array(),
    readScript: async () => undefined,
  }))
  return scriptsOf(artifacts.reverse())
}

function scriptsOf(artifacts: readonly ScriptArtifact[]): ArtifactSource {
  const unique = (values: string[]) => [...new Set(values)]
  return {
    async findScripts({ service, version }, paths) {
      return artifacts.filter((it) => it.service === service && it.version === version && paths.includes(it.path))
    },
    async findScriptsByDebugId(debugIds, { service, version }) {
      return debugIds.flatMap((debugId) => {
        const same = artifacts.filter((it) => it.debugId === debugId)
        return same.find((it) => it.service === service && it.version === version) ?? same.at(-1) ?? []
      })
    },
    async findScriptsNamed(fileName, limit, of = {}) {
      return artifacts.filter((it) => fileNameOf(it.path) === fileName && isOf(it, of)).slice(0, limit)
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
  const isBundle = event.type === 'react_native_sourcemap'
  const script = parts.find(({ name }) => name === (isBundle ? 'bundle' : 'minified_file'))
  if (!(isBundle || event.type === 'js_sourcemap') || !map) return undefined
  const address = isBundle ? addressOfBundle(event.bundle_name) : event.minified_url
  return {
    service: event.service,
    version: event.version,
    path: urlPath(address),
    address,
    ...(!isBundle && event.debug_id !== undefined && { debugId: event.debug_id.toLowerCase() }),
    contentKey: contentKeyOf([map]),
    locate: async (part) => {
      if (part === 'index') return undefined
      const found = part === 'map' ? map : script
      return found?.content ? undefined : found?.path
    },
    readMap: () => read(map),
    readScript: async () => (script ? read(script) : undefined),
  }
}

function symbolFileOf({ event, parts }: SymbolUpload): SymbolFile {
  const { variant, build_id: buildId } = event as unknown as Partial<Record<string, string>>
  const { type: kind, service, version } = event
  return {
    kind,
    service: service ?? '',
    version: version ?? '',
    ...(variant !== undefined && { variant }),
    ...(buildId !== undefined && { buildId }),
    contentKey: contentKeyOf(parts),
    async open(name) {
      const part = parts.find((it) => it.name === name)
      return part && (part.content ?? part.path)
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
