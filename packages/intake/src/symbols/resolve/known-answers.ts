import {
  type ArtifactSource,
  askSource,
  type KnownFrame,
  NearMaps,
  notedSource,
  WeightedCache,
} from '@symup/symbolicate'
import type { KnownScripts } from './script-source.ts'

/** What was asked of the source, and what it answered, as text. */
interface LookUp {
  target: string
  args: unknown[]
  answer: string
}

interface Known {
  lookUps: readonly LookUp[]
  /** As JSON: objects take several times the memory, and the time of whoever looks for garbage among them. */
  json: string
  /** Of the store, when the look-ups were answered so. */
  revision: string
}

/** How often an answer was known, how often it had to be found, and the bytes of all that is kept. */
export interface AnswerCounts {
  known: number
  found: number
  bytes: number
}

const MAX_BYTES = 128 * 1024 * 1024
/** Of an answer beside its texts, about. */
const OBJECT_BYTES = 1000

/**
 * Recent answers, with the look-ups that each rests on. One is given again while the store has not changed, or answers these the same, so that an upload or a
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
  readonly scripts: KnownScripts = { revision: '', kept: this.#all.shelf('scripts') }
  /** Of accounts, by their ids. */
  readonly sources = new Map<number, ArtifactSource>()
  #known = 0
  #found = 0

  get counts(): AnswerCounts {
    return { known: this.#known, found: this.#found, bytes: this.#all.weight }
  }

  /**
   * @param key equal for equal questions.
   * @param revision another one whenever the source may answer differently.
   * @param find may ask nothing but the source that it is given, for what can change.
   * @param lasts whether another try would answer the same.
   * @returns JSON.
   * @throws what the source and `find` throw.
   */
  async get<T extends object>(
    key: string,
    source: ArtifactSource,
    revision: string,
    find: (source: ArtifactSource) => Promise<T>,
    lasts: (data: T) => boolean,
  ): Promise<string> {
    const known = this.#kept.get(key)
    if (known && (known.revision === revision || (await areSame(known.lookUps, source)))) {
      known.revision = revision
      this.#known++
      return known.json
    }
    this.#kept.delete(key)
    this.#found++
    const lookUps: LookUp[] = []
    const note = (target: string, args: unknown[], value: unknown) => {
      lookUps.push({ target, args, answer: textOf(value) })
    }
    const data = await find(notedSource(source, note))
    const json = JSON.stringify(data)
    if (lasts(data)) this.#kept.set(key, { lookUps, json, revision }, weightOf(key, lookUps, json))
    return json
  }
}

async function areSame(lookUps: readonly LookUp[], source: ArtifactSource): Promise<boolean> {
  for (const { target, args, answer } of lookUps)
    if (textOf(await askSource(source, target, args)) !== answer) return false
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
