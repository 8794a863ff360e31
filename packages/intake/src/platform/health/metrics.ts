import type { Socket } from 'node:net'
import { UPLOAD_PATH } from '@symup/core/internal'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { IntakeEvents } from '../http/events.ts'

/** What Prometheus reads at `/metrics`. No label has a value that a client chose. */
export interface Metrics {
  contentType: string
  text(): Promise<string>
  countLookups(use: { hits: number; misses: number }): void
  /** Shows how many stacks are being resolved, how many wait, and what is kept for them. */
  watchStacks(load: () => { running: number; waiting: number; cachedBytes: number }): void
  /** Shows how many source maps and mappings wait for their index, and of how many none could be made. */
  watchIndexes(counts: () => { waiting: number; failed: number }): void
  /** Shows how many stacks were answered from memory, and what these answers take. */
  watchAnswers(counts: () => { known: number; found: number; bytes: number }): void
  /** Counts what an app answers from now on. */
  watch(app: FastifyInstance, events: IntakeEvents): void
}

/** Seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'symup_' })
  const uploads = new Counter({ name: 'symup_uploads_total', help: 'Uploads that were stored.', registers })
  const bytes = new Counter({
    name: 'symup_upload_bytes_total',
    help: 'Bytes of upload requests, as they came over the wire.',
    registers,
  })
  const refused = new Counter({
    name: 'symup_uploads_refused_total',
    help: 'Uploads that were not stored, by the code that was answered.',
    labelNames: ['code'],
    registers,
  })
  const seconds = new Histogram({
    name: 'symup_request_seconds',
    help: 'From the first byte of a request to the end of its answer.',
    labelNames: ['route', 'status'],
    buckets: LATENCIES,
    registers,
  })
  const lookups = new Counter({
    name: 'symup_parsed_cache_lookups_total',
    help: 'Look-ups of parsed symbol files, by whether they were still in memory.',
    labelNames: ['result'],
    registers,
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  return {
    watchStacks(load) {
      const help = 'Stacks that are being resolved or wait for it.'
      new Gauge({
        name: 'symup_stacks',
        help,
        labelNames: ['state'],
        registers,
        collect() {
          const { running, waiting } = load()
          this.set({ state: 'running' }, running)
          this.set({ state: 'waiting' }, waiting)
        },
      })
      gauge(
        'symup_parsed_cache_bytes',
        'Memory that parsed symbol files of all kinds take, in all threads.',
        () => load().cachedBytes,
      )
    },
    watchIndexes(counts) {
      gauge(
        'symup_map_indexes_waiting',
        'Source maps and mappings whose index is being made or waits for it.',
        () => counts().waiting,
      )
      new Counter({
        name: 'symup_map_indexes_failed_total',
        help: 'Source maps and mappings of which no index could be made: their stacks resolve, though slowly.',
        registers,
        collect() {
          this.reset()
          this.inc(counts().failed)
        },
      })
    },
    watchAnswers(counts) {
      new Counter({
        name: 'symup_answer_cache_lookups_total',
        help: 'Stacks, by whether their answer was still in memory and holds.',
        labelNames: ['result'],
        registers,
        collect() {
          const { known, found } = counts()
          this.reset()
          this.inc({ result: 'hit' }, known)
          this.inc({ result: 'miss' }, found)
        },
      })
      gauge(
        'symup_answer_cache_bytes',
        'Memory that answered stacks take, with the maps that new places are looked up in.',
        () => counts().bytes,
      )
    },
    countLookups({ hits, misses }) {
      lookups.inc({ result: 'hit' }, hits)
      lookups.inc({ result: 'miss' }, misses)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    watch(app, events) {
      events.on('upload', () => uploads.inc())
      events.on('rejection', ({ code }) => refused.inc({ code }))
      /** Bytes that the connection had brought before; one connection brings many requests. */
      const readBefore = new WeakMap<Socket, number>()
      app.addHook('onResponse', ({ routeOptions: { url: route = 'unknown' }, raw: { socket } }, reply, done) => {
        const { bytesRead } = socket
        if (route === UPLOAD_PATH) bytes.inc(Math.max(0, bytesRead - (readBefore.get(socket) ?? 0)))
        readBefore.set(socket, bytesRead)
        const labels = { route, status: reply.statusCode }
        seconds.observe(labels, reply.elapsedTime / 1000)
        done()
      })
    },
  }
}
