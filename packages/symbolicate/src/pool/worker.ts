import { parentPort, workerData } from 'node:worker_threads'
import { ContentLost } from '../artifacts.ts'
import { type Budget, Cancelled, timeBudget } from '../budget.ts'
import { WeightedCache } from '../cache.ts'
import { lookAtMap, type Opened } from '../map-views.ts'
import { indexOf } from '../resolvers/javascript/load-script.ts'
import { makeMappingIndex } from '../resolvers/jvm-mapping/mapping-index.ts'
import { symbolicatorWith } from '../symbolicate.ts'
import { type FromWorker, READ, type Task, type TaskAnswer, type ToWorker, type WorkerSettings } from './protocol.ts'
import { type Call, remoteSource } from './worker-side.ts'

// This code runs in each thread of a pool. A thread handles one request at a time, and its caches are kept between requests.

const port = parentPort
if (!port) throw new Error('this is the thread of a pool, not a program')

const say = (message: FromWorker) => port.postMessage(message)
const { maxCachedBytes } = workerData as WorkerSettings
let lookups = { hits: 0, misses: 0 }
const parsed = new WeightedCache<object>(maxCachedBytes, (isHit) => {
  if (isHit) lookups.hits++
  else lookups.misses++
})
const symbolicator = symbolicatorWith(parsed)
const maps = parsed.shelf<Opened>('map-views')

const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
let lastCall = 0
const call: Call = (target, args) =>
  new Promise((resolve, reject) => {
    calls.set(++lastCall, { resolve, reject })
    say({ kind: 'call', call: lastCall, target, args })
  })

/** The time limit for a read in milliseconds. The pool usually terminates a blocked thread earlier. */
const READ_MS = 120_000

/** Blocks until the bytes are available, because the calling code is synchronous. */
function readDistant(content: string, position: number, length: number): Uint8Array {
  const into = new SharedArrayBuffer(READ.header + length)
  const state = new Int32Array(into, 0, 1)
  say({ kind: 'read', content, position, length, into })
  Atomics.wait(state, 0, READ.runs, READ_MS)
  if (Atomics.load(state, 0) !== READ.done) throw new Error('a part of the map could not be read')
  return new Uint8Array(into, READ.header)
}

say({ kind: 'ready' })
port.on('message', (message: ToWorker) => {
  if (message.kind === 'ask') {
    void answer(message)
    return
  }
  const waiting = calls.get(message.call)
  calls.delete(message.call)
  if (message.kind === 'result') waiting?.resolve(message.value)
  else waiting?.reject(message.isLost ? new ContentLost() : new Error(message.message))
})

async function answer({ task, ms, stop }: Extract<ToWorker, { kind: 'ask' }>): Promise<void> {
  calls.clear()
  lookups = { hits: 0, misses: 0 }
  try {
    const answer = await perform(task, timeBudget(ms, stop))
    const cache = { ...lookups, bytes: parsed.weight }
    say({ kind: 'answer', answer, cache })
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException
    say({ kind: 'failure', message, stack: error instanceof Cancelled ? undefined : stack, code })
  }
}

async function perform(task: Task, budget: Budget): Promise<TaskAnswer> {
  if (task.kind === 'map') return lookAtMap(task.files, task.question, maps)
  if (task.kind === 'index') {
    if ('mapping' in task.files) return makeMappingIndex(task.files.mapping)
    const { map, script, parses } = task.files
    return indexOf(map, script, { parses, checks: true })
  }
  const source = remoteSource(task, call, readDistant)
  return JSON.stringify(await symbolicator.symbolicate({ ...task.question, budget }, source))
}
