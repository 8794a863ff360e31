import type { FastifyInstance } from 'fastify'
import type { OncallRoom } from '../oncall/room.ts'
import type { Core, Room } from '../platform/room.ts'
import type { SymbolsRoom } from '../symbols/room.ts'
import { routeInspector } from './routes.ts'

interface InspectorOptions {
  symbols: SymbolsRoom
  /** Undefined if the intake does not serve the on-call room. */
  oncall?: OncallRoom | undefined
  /** Host names at which the page is available, in addition to loopback names. */
  hosts: ReadonlySet<string>
  rum: boolean
  hasTestRoutes: boolean
}

export class InspectorRoom implements Room {
  readonly name = 'inspector'
  readonly operations = []
  readonly #options: InspectorOptions

  constructor(options: InspectorOptions) {
    this.#options = options
  }

  route(app: FastifyInstance, { directory, events, clock, faults }: Core): void {
    const { symbols, oncall, hosts, rum, hasTestRoutes } = this.#options
    const isClockSet = hasTestRoutes && { isClockSet: clock.isSet }
    const operations = oncall && { ...oncall.services, directory, now: clock.now, ...isClockSet }
    routeInspector(app, {
      ...symbols.services,
      ...{ directory, events, hosts, rum, ...(faults && { faults }) },
      ...(operations && { operations }),
    })
  }
}
