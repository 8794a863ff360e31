import { inspectorRoom } from './inspector/room.ts'
import { ONCALL_MIGRATIONS } from './oncall/migrations.ts'
import { OncallRoom, type Seed } from './oncall/room.ts'
import { ONCALL_OPERATIONS } from './oncall/routes.ts'
import type { Operation } from './platform/operation.ts'
import type { Room } from './platform/room.ts'
import { StartError } from './platform/start-error.ts'
import { SYMBOL_MIGRATIONS } from './symbols/migrations.ts'
import { SYMBOL_OPERATIONS, type SymbolsOptions, SymbolsRoom } from './symbols/room.ts'
import { TestingRoom } from './test-routes/room.ts'

/** Migrations of all rooms. The tables of a room exist even if the room is not served. */
export const MIGRATIONS = [...SYMBOL_MIGRATIONS, ...ONCALL_MIGRATIONS]

export const OPERATIONS: readonly Operation[] = [...ONCALL_OPERATIONS, ...SYMBOL_OPERATIONS]

export { TEST_OPERATIONS } from './test-routes/room.ts'

export const ROOMS = ['symbols', 'oncall', 'inspector', 'testing'] as const
export type RoomName = (typeof ROOMS)[number]

export interface RoomsOptions extends SymbolsOptions {
  seed: Seed
  /** Host names for the inspector page, in addition to loopback names, which are always allowed. */
  inspectorHosts: ReadonlySet<string>
  rum: boolean
}

/**
 * Returns the rooms in dependency order: each room comes after the rooms that it needs.
 * @throws StartError if a required room is missing.
 */
export function roomsOf(names: ReadonlySet<RoomName>, options: RoomsOptions) {
  const symbols = new SymbolsRoom(options)
  const oncall = new OncallRoom(options.seed)
  const testing = new TestingRoom(options.seed, symbols, oncall)
  const inspector = inspectorRoom({
    symbols,
    oncall: names.has('oncall') ? oncall : undefined,
    hosts: options.inspectorHosts,
    rum: options.rum,
    hasTestRoutes: names.has('testing'),
  })
  const needs = { symbols: [], oncall: [], inspector: ['symbols'], testing: ['symbols', 'oncall'] } as const
  for (const name of names)
    for (const other of needs[name])
      if (!names.has(other)) throw new StartError('room-missing', `The room ${name} needs the room ${other}.`)
  const all: readonly Room[] = [symbols, oncall, testing, inspector]
  return { symbols, oncall, testing, served: all.filter(({ name }) => names.has(name as RoomName)) }
}
