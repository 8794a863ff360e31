import type { ScriptArtifact } from '../../artifacts.ts'
import type { RawFrame, ResolvedFrame } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import type { FirstLook, Here } from '../resolver.ts'
import { explainPlace } from './explain-stack.ts'
import type { Find } from './find-script.ts'
import { type KnownFrame, keepFrame, type Place, placeOf } from './known-frames.ts'
import type { NearMaps } from './near-maps.ts'
import { isOfProject, type ProjectFrame } from './parse-stack.ts'
import { lateUpload, onceAFile } from './running-file.ts'
import type { SourceMap } from './source-map.ts'

/** A frame with its place, undefined for one that is not the project's; and what is known of that. */
interface Placed {
  frame: RawFrame
  place: Place | undefined
  known: KnownFrame | undefined
}

/**
 * The answer to a stack of which each frame was in another one before, as most new stacks are old frames in another order, or can be looked up in a map that is at hand.
 * @returns no answer where another thread has to find it.
 */
export async function explainHere(
  parsed: readonly RawFrame[],
  question: StackQuestion,
  find: Find,
  { known: kept, maps }: Here & Pick<Required<Here>, 'known'>,
): Promise<Pick<FirstLook, 'answer' | 'lacking'>> {
  const all: Placed[] = []
  for (const frame of parsed) {
    if (frame.address !== undefined) return {}
    const place = isOfProject(frame) ? await placeOf(frame, question, find) : undefined
    if (!place && isOfProject(frame)) return {}
    const known = place && kept.get(place.key)
    if (place && !known && !maps) return {}
    all.push({ frame, place, known })
  }
  const unknown = all.filter(({ place, known }) => place && !known) as (Placed & { place: Place })[]
  if (maps && unknown.length > 0) {
    const opened = await openMaps(unknown, maps)
    if (!(opened instanceof Map)) return opened
    const areFound = await maps.within([...opened.keys()], () => {
      for (const item of unknown) {
        const { artifact, remark } = item.place
        const map = opened.get(artifact.contentKey) as SourceMap
        const found = explainPlace(item.frame as ProjectFrame, question, artifact, map, remark)
        item.known = keepFrame(found, item.place, kept)
      }
      return true
    })
    if (!areFound) return {}
  }
  const frames = all.map(({ frame, place, known }): ResolvedFrame => {
    if (!place || !known) return { ...frame, resolved: null, reason: reason('not-a-project-frame') }
    const why = known.resolved ? (place.remark ?? lateUpload(place.artifact, question.eventTime)) : undefined
    return { ...frame, ...(why && { reason: why }), ...known }
  })
  return { answer: { frames: frames.map(onceAFile()) } }
}

/** The maps of all places by their content, or what another thread should hand over when it has looked these up. */
async function openMaps(
  places: readonly { place: Place }[],
  maps: NearMaps,
): Promise<Map<string, SourceMap> | Pick<FirstLook, 'lacking'>> {
  const artifacts = new Map<string, ScriptArtifact>()
  for (const { place } of places) artifacts.set(place.artifact.contentKey, place.artifact)
  const opened = new Map<string, SourceMap>()
  const lacking: string[] = []
  for (const [contentKey, artifact] of artifacts) {
    const map = await maps.open(artifact)
    if (map === undefined) return { lacking }
    if (map === 'no-index') lacking.push(contentKey)
    else opened.set(contentKey, map)
  }
  return lacking.length > 0 ? { lacking } : opened
}
