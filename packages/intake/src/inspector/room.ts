import type { OncallRoom } from '../oncall/room.ts'
import type { Room } from '../platform/room.ts'
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

export function inspectorRoom({ symbols, oncall, hosts, rum, hasTestRoutes }: InspectorOptions): Room {
  return {
    name: 'inspector',
    operations: [],
    route(app, { directory, events, clock, faults }) {
      const isClockSet = hasTestRoutes && { isClockSet: clock.isSet }
      const operations = oncall && { ...oncall.services, directory, now: clock.now, ...isClockSet }
      routeInspector(app, {
        ...symbols.services,
        ...{ directory, events, hosts, rum, ...(faults && { faults }) },
        ...(operations && { operations }),
      })
    },
  }
}
