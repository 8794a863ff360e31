import { openBinary } from '@symup/core/resolving'
import type { ArtifactSource, MiniProgramMap, MiniProgramSource, ScriptArtifact } from '../artifacts.ts'
import { readArchivedMap } from '../resolvers/mini-program/archived-maps.ts'
import type { Callable, Handle, Task } from './protocol.ts'

export type ReadDistant = (content: string, position: number, length: number) => Uint8Array

export type Call = (target: Callable | number, args: unknown[]) => Promise<unknown>

/**
 * Creates a source that calls the real source in another thread. Repeated lookups within a request are cached. Files are opened in the
 * calling thread, so their bytes do not have to be copied between threads.
 */
export function remoteSource(
  { callable }: Pick<Extract<Task, { kind: 'stack' }>, 'callable'>,
  call: Call,
  readDistant: ReadDistant,
): ArtifactSource {
  const keyOf = (name: string, args: unknown[]) => JSON.stringify([name, args])
  const answers = new Map<string, Promise<unknown>>()
  const ask = (name: string, args: unknown[]) => {
    const key = keyOf(name, args)
    const known = answers.get(key) ?? call(name, args).then((value) => artifactsIn(value, call, readDistant))
    answers.set(key, known)
    return known
  }
  const source: Record<string, unknown> = {}
  const miniPrograms: Record<string, unknown> = {}
  for (const name of callable) {
    const [room, inRoom] = name.split('.')
    if (inRoom === undefined) source[name] = (...args: unknown[]) => ask(name, args)
    else if (room === 'miniPrograms') miniPrograms[inRoom] = (...args: unknown[]) => ask(name, args)
  }
  const hasMiniPrograms = Object.keys(miniPrograms).length > 0
  return {
    ...(source as unknown as ArtifactSource),
    ...(hasMiniPrograms && { miniPrograms: miniPrograms as unknown as MiniProgramSource }),
  }
}

function artifactsIn(value: unknown, call: Call, readDistant: ReadDistant): unknown {
  if (Array.isArray(value)) return value.map((item) => artifactsIn(item, call, readDistant))
  if (typeof value !== 'object' || value === null) return value
  const { file } = value as { file?: unknown }
  const artifact = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isHandle(item) ? calling(item, call) : item]),
  ) as Partial<ScriptArtifact & MiniProgramMap>
  const { locateArchive, distantMap } = artifact
  if (distantMap) {
    return {
      ...artifact,
      distantMap: async () => {
        const distant = await distantMap()
        return distant && { ...distant, readNow: readDistant.bind(undefined, distant.content) }
      },
    }
  }
  if (locateArchive && artifact.entry !== undefined) {
    const { entry } = artifact
    return { ...artifact, readMap: async () => readArchivedMap(await locateArchive(), entry) }
  }
  return typeof file === 'string' ? { ...artifact, open: () => openBinary(file) } : artifact
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'handle' in value
}

const calling =
  ({ handle }: Handle, call: Call) =>
  (...args: unknown[]) =>
    call(handle, args)
