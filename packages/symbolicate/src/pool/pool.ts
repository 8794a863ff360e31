import { availableParallelism } from 'node:os'
import type { ArtifactSource } from '../artifacts.ts'
import type { Explanation } from '../frames.ts'
import type { MapAnswers } from '../map-answers.ts'
import type { MapFiles, MapQuestion } from '../map-views.ts'
import type { StackQuestion } from '../question.ts'
import { type Asker, askFirst, DEFAULT_CACHED_BYTES, type Symbolicator } from '../symbolicate.ts'
import { type Job, Lane, type LaneSettings } from './lane.ts'
import type { CacheUse, IndexFiles, MadeIndex, ReadContent, TaskAnswer } from './protocol.ts'
import { CallableSource } from './source-side.ts'
import { earlyThread, FOR_ONE_STACK } from './thread.ts'
import { Unanswered } from './unanswered.ts'

export interface PoolOptions {
  /**
   * Threads. Questions of one owner never have the last one, so that what they cost holds nobody else up.
   * @default one more than processors, from 3 to 5
   */
  threads?: number
  /**
   * Milliseconds that one question may run; after more than half of it frames are answered with the reason `out-of-time`, at its end the
   * thread is ended and replaced.
   * @default 10000
   */
  timeoutMs?: number
  /**
   * Megabytes of heap that a thread may have.
   * @default 2048
   */
  maxHeapMb?: number
  /**
   * Questions that may wait; those of one owner may take half of the places.
   * @default 500
   */
  maxWaiting?: number
  /**
   * Bytes that the parsed files of all kinds may take in each thread.
   * @default 268435456
   */
  maxCachedBytes?: number
  /**
   * Whether one stack is all that will be asked: of its maps no more is read than it needs.
   * @default false
   */
  isForOneStack?: boolean
  /**
   * Whether the first thread is started with the pool, so that the first question need not wait for it.
   * @default false
   */
  startsAhead?: boolean
  /** Reads what `ScriptArtifact.distantMap` names. */
  readDistant?: ReadContent
  /** Hears with every answer what it took of the parsed files that are kept. */
  onCacheUse?: (use: CacheUse) => void
}

/** What runs, waits and is kept at the moment. */
export interface PoolLoad {
  running: number
  waiting: number
  /** Bytes of parsed files that the threads keep. */
  cachedBytes: number
}

/** Shows what source maps say, in other threads than that of who asks. */
export interface MapViewer {
  /**
   * @returns undefined where the map has no answer, or cannot be shown.
   * @throws Unanswered, and when a file cannot be read.
   */
  lookAtMap<V extends MapQuestion['view']>(
    files: MapFiles,
    question: Extract<MapQuestion, { view: V }>,
    asker?: Asker,
  ): Promise<MapAnswers[V] | undefined>
}

export interface SymbolicatorPool extends Symbolicator, MapViewer {
  /**
   * Resolves a stack in another thread, whose time and memory are bounded.
   * @throws Unanswered, and what the source throws.
   */
  symbolicate(question: StackQuestion, source: ArtifactSource, asker?: Asker): Promise<Explanation>
  /**
   * Makes the index of a source map, which `ScriptArtifact.locate` may then give the path of, or of a mapping, for `SymbolFile.open`.
   * @throws Unanswered, and when a file cannot be read.
   */
  indexMap(files: IndexFiles, asker?: Asker): Promise<Uint8Array>
  load(): PoolLoad
  close(): Promise<void>
}

/** A question that has run so long, in milliseconds, does not keep others waiting that want other files. */
const LONG_MS = 250
/** Questions that may wait for the thread that has their files before another one reads them, too. */
const WORTH_WAITING = 8
const HOMES_KEPT = 1000

/**
 * Resolves stacks in threads of their own, one question at a time in each. Questions of one release go to the same thread, which has its files
 * in memory and reads each of them once however many ask, as long as they need not wait too long there.
 */
export function createSymbolicatorPool(options: PoolOptions = {}): SymbolicatorPool {
  return poolWith(options)
}

function poolWith(options: PoolOptions, takeThread?: LaneSettings['takeThread']): SymbolicatorPool {
  const {
    threads = Math.min(4, Math.max(2, availableParallelism())) + 1,
    timeoutMs = 10_000,
    maxHeapMb = 2048,
  } = options
  const { maxWaiting = 500, maxCachedBytes = DEFAULT_CACHED_BYTES, isForOneStack = false } = options
  const { startsAhead = false, onCacheUse, readDistant } = options
  const settings = { timeoutMs, maxHeapMb, maxCachedBytes, isForOneStack, onCacheUse, readDistant, takeThread }
  const lanes: Lane[] = []
  const runningOf = ({ owner }: Job) => lanes.filter(({ running }) => running && running.owner === owner).length
  const choose = (waiting: readonly Job[]) => fairest(waiting, runningOf, threads)
  const onEnd = () => {
    for (const lane of lanes) lane.next()
    relieve()
  }
  for (let nth = 0; nth < threads; nth++) lanes.push(new Lane({ ...settings, choose, onEnd }))
  if (startsAhead) lanes[0]?.prepare()
  /** The thread that had the files of a release last; the release used last is last. */
  const homes = new Map<string, Lane>()
  /** A free one, whatever waits there: that may not run yet. */
  const leastBusy = () => lanes.find(({ running }) => !running) ?? lanes.reduce((a, b) => (b.load < a.load ? b : a))
  const waiting = () => lanes.flatMap((lane) => lane.waiting)

  const place = (job: Job) => {
    const free = leastBusy()
    const home = homes.get(job.key)
    const isBlocked = home?.running && home.running.key !== job.key && performance.now() - home.since > LONG_MS
    const lane = home && !isBlocked && home.load <= free.load + WORTH_WAITING ? home : free
    homes.delete(job.key)
    homes.set(job.key, lane)
    if (homes.size > HOMES_KEPT) homes.delete(homes.keys().next().value as string)
    lane.waiting.push(job)
    lane.next()
    if (lane.running !== job) setTimeout(relieve, LONG_MS + 1).unref()
  }

  /** A free thread takes what waits behind a long question about other files. */
  const relieve = () => {
    for (const lane of lanes) {
      const { running } = lane
      if (!running || lane.waiting.length === 0 || performance.now() - lane.since <= LONG_MS) continue
      const free = lanes.find((other) => !other.running)
      const job = choose(lane.waiting.filter(({ key }) => key !== running.key))
      if (!free || !job) continue
      lane.waiting.splice(lane.waiting.indexOf(job), 1)
      homes.set(job.key, free)
      free.waiting.push(job)
      free.next()
    }
  }

  /** Stacks whose first look-ups are under way: they have no thread yet. */
  let asking = 0
  const isFull = () => new Unanswered('busy', `${maxWaiting} other stacks are waiting to be resolved`)
  const run = (
    work: Pick<Job, 'key' | 'task' | 'source' | 'onMade'>,
    { signal, owner }: Asker = {},
  ): Promise<TaskAnswer> =>
    new Promise((resolve, reject) => {
      const gone = () => new Unanswered('cancelled', 'Nobody waits for the answer')
      if (signal?.aborted) return reject(gone())
      const before = waiting()
      if (before.length >= maxWaiting) return reject(isFull())
      const own = owner === undefined ? 0 : before.filter((other) => other.owner === owner).length
      if (own > 0 && own >= maxWaiting / 2)
        return reject(new Unanswered('busy', `${own} other stacks of the account are waiting to be resolved`))
      const leave = (error: Unanswered) => {
        const lane = lanes.find((it) => it.waiting.includes(job))
        if (lane) lane.waiting.splice(lane.waiting.indexOf(job), 1)
        else for (const it of lanes) it.stop(job)
        job.settle({ error })
      }
      const onAbort = () => leave(gone())
      // Whoever waits as long as a question may run is better told so than kept.
      const impatience = setTimeout(() => {
        if (lanes.some((lane) => lane.waiting.includes(job)))
          leave(new Unanswered('busy', 'Other stacks took all the time that this one could wait'))
      }, timeoutMs)
      const job: Job = {
        ...work,
        owner,
        stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
        settle(outcome) {
          clearTimeout(impatience)
          signal?.removeEventListener('abort', onAbort)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.answer)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      place(job)
    })

  return {
    load: () => ({
      running: lanes.filter(({ running }) => running).length,
      waiting: waiting().length,
      cachedBytes: lanes.reduce((sum, lane) => sum + lane.cachedBytes, 0),
    }),
    async symbolicate({ budget: _, ...question }, stored, asker) {
      const key = JSON.stringify([question.service, question.version, question.platform])
      const source = new CallableSource(stored)
      if (asking >= maxWaiting + threads) throw isFull()
      asking++
      const first = (it: ArtifactSource) => askFirst(question, it, asker)
      const { asked, found } = await source.answersTo(first).finally(() => asking--)
      if (found.answer) return found.answer
      const { lacking } = found
      const task = { kind: 'stack', question, callable: source.names, asked: JSON.stringify(asked()) } as const
      const onMade = (made: readonly MadeIndex[]) => {
        for (const { contentKey, index } of made) asker?.maps?.keepIndex(contentKey, index)
      }
      const job = { key, task: { ...task, ...(lacking && { lacking }) }, source, onMade }
      const answer: Explanation = JSON.parse((await run(job, asker)) as string)
      await found.keep?.(answer)
      return answer
    },
    async lookAtMap(files, question, asker) {
      const answer = await run({ key: files.key, task: { kind: 'map', files, question } }, asker)
      return answer as MapAnswers[typeof question.view] | undefined
    },
    async indexMap(files, asker) {
      const key = 'mapping' in files ? files.mapping : files.map
      return (await run({ key, task: { kind: 'index', files } }, asker)) as Uint8Array
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

/** The next to run: of the owner who has least threads; undefined when all that wait have as many as they may. */
function fairest(waiting: readonly Job[], runningOf: (job: Job) => number, threads: number): Job | undefined {
  let best: { job: Job; running: number } | undefined
  for (const job of waiting) {
    const running = job.owner === undefined ? 0 : runningOf(job)
    if (job.owner !== undefined && threads > 1 && running >= threads - 1) continue
    if (!best || running < best.running) best = { job, running }
  }
  return best?.job
}

/**
 * Resolves one stack in a thread of its own, keeping nothing, for at most 60 seconds and with at most 2 GB of heap.
 * @throws Unanswered, and what the source throws.
 */
export async function symbolicateApart(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  const pool = poolWith({ timeoutMs: 60_000, ...FOR_ONE_STACK, threads: 1 }, earlyThread)
  try {
    return await pool.symbolicate(question, source)
  } finally {
    await pool.close()
  }
}
