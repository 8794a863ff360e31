import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Upper bounds of histogram buckets, in seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Labels never contain values from clients. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #registers = [this.#registry]
  readonly uploads = this.#counter('symup_uploads_total', 'Uploads that were stored.')
  readonly uploadBytes = this.#counter('symup_upload_bytes_total', 'Bytes in upload requests on the wire.')
  readonly refused = this.#counter(
    'symup_uploads_refused_total',
    'Uploads that were not stored, by response code.',
    'code',
  )
  readonly seconds = new Histogram({
    name: 'symup_request_seconds',
    help: 'Time from the first byte of a request to the end of the response.',
    labelNames: ['route', 'status'],
    buckets: LATENCIES,
    registers: this.#registers,
  })
  readonly lookups = this.#counter(
    'symup_parsed_cache_lookups_total',
    'Lookups of parsed symbol files, by whether the files were in memory.',
    'result',
  )

  constructor() {
    collectDefaultMetrics({ register: this.#registry, prefix: 'symup_' })
  }

  async read(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() }
  }

  watchStacks(load: () => { running: number; waiting: number; cachedBytes: number }): void {
    new Gauge({
      name: 'symup_stacks',
      help: 'Stacks that are being resolved or are waiting.',
      labelNames: ['state'],
      registers: this.#registers,
      collect() {
        const { running, waiting } = load()
        this.set({ state: 'running' }, running)
        this.set({ state: 'waiting' }, waiting)
      },
    })
    this.#gauge(
      'symup_parsed_cache_bytes',
      'Memory used by parsed symbol files of all kinds, in all threads.',
      () => load().cachedBytes,
    )
  }

  watchIndexes(waiting: () => number): void {
    this.#gauge('symup_map_indexes_waiting', 'Source maps and mappings that are being indexed or are waiting.', waiting)
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers })
  }

  #gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(value())
      },
    })
  }
}
