import { type ArtifactSource, type KnownFrame, NearMaps, WeightedCache } from '@symup/symbolicate'
import type { KnownRows } from './artifact-source.ts'

/** What was asked of the source, and what it answered, as text. */
interface LookUp {
  ask(source: ArtifactSource): unknown
  answer: string
}

interface Known {
  lookUps: readonly LookUp[]
  /** As JSON: objects take several times the memory, and the time of whoever looks for garbage among them. */
  json: string
  /** Of the store, when the look-ups were answered so. */
  revision: string | undefined
}

/** How often an answer was known, how often it had to be found, and the bytes that those take which are kept. */
export interface AnswerCounts {
  known: number
  found: number
  bytes: number
}

const MAX_BYTES = 128 * 1024 * 1024
/** Of an answer beside its texts, about. */
const OBJECT_BYTES = 1000

/**
 * Answers of late, with the look-ups that each rests on. One is given again while the store has not changed, or answers these the same, so that an upload or a
 * removal counts at once, whichever intake it came to.
 */
export class KnownAnswers {
  readonly #all = new WeightedCache<object>(MAX_BYTES)
  readonly #kept = this.#all.shelf<Known>('answers')
  /** What single frames led to; takes of the same bytes. */
  readonly frames = this.#all.shelf<KnownFrame>('frames')
  /** Maps that new places are looked up in, the same. */
  readonly maps = new NearMaps(this.#all.shelf('maps'))
  /** What the store has of single scripts, the same. */
  readonly scripts: KnownRows['kept'] = this.#all.shelf('scripts')
  #known = 0
  #found = 0

  get counts(): AnswerCounts {
    return { known: this.#known, found: this.#found, bytes: this.#all.weight }
  }

  /**
   * @param key equal for equal questions.
   * @param revision another one whenever the source may answer differently; undefined where that is not known.
   * @param find may ask nothing but the source that it is given, for what can change.
   * @param lasts whether another try would answer the same.
   * @returns JSON.
   * @throws what the source and `find` throw.
   */
  async get<T extends object>(
    key: string,
    source: ArtifactSource,
    revision: string | undefined,
    find: (source: ArtifactSource) => Promise<T>,
    lasts: (data: T) => boolean,
  ): Promise<string> {
    const known = this.#kept.get(key)
    const isUnchanged = known && revision !== undefined && known.revision === revision
    if (known && (isUnchanged || (await areSame(known.lookUps, source)))) {
      known.revision = revision
      this.#known++
      return known.json
    }
    this.#kept.delete(key)
    this.#found++
    const lookUps: LookUp[] = []
    const data = await find(recording(source, lookUps))
    const json = JSON.stringify(data)
    if (lasts(data)) this.#kept.set(key, { lookUps, json, revision }, weightOf(key, lookUps, json))
    return json
  }
}

async function areSame(lookUps: readonly LookUp[], source: ArtifactSource): Promise<boolean> {
  for (const { ask, answer } of lookUps) if (textOf(await ask(source)) !== answer) return false
  return true
}

/** Characters are counted as the two bytes that they may take. */
function weightOf(key: string, lookUps: readonly LookUp[], json: string): number {
  return OBJECT_BYTES + 2 * lookUps.reduce((sum, { answer }) => sum + answer.length, key.length + json.length)
}

/** Functions are left out: what they give depends on nothing but the content that the text names. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer) ?? ''
}

type Functions = Record<string, ((...args: unknown[]) => unknown) | undefined>

/** The same source; what it is asked is noted with its answer. */
function recording(source: ArtifactSource, lookUps: LookUp[]): ArtifactSource {
  const { miniPrograms, ...rest } = source
  const recorded = (functions: object, roomOf: (of: ArtifactSource) => unknown) =>
    Object.fromEntries(
      Object.keys(functions).map((name) => [
        name,
        async (...args: unknown[]) => {
          const ask = (of: ArtifactSource) => (roomOf(of) as Functions)[name]?.(...args)
          const value = await ask(source)
          lookUps.push({ ask, answer: textOf(value) })
          return value
        },
      ]),
    )
  return {
    ...recorded(rest, (of) => of),
    ...(miniPrograms && { miniPrograms: recorded(miniPrograms, (of) => of.miniPrograms) }),
  } as unknown as ArtifactSource
}
