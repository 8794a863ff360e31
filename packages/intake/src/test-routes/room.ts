import type { FastifyInstance } from 'fastify'
import type { OncallRoom, Seed } from '../oncall/room.ts'
import { checkHost } from '../platform/http/host-check.ts'
import { openapi } from '../platform/http/openapi.ts'
import { routeOperations } from '../platform/http/operation-routes.ts'
import type { Core, Room } from '../platform/room.ts'
import type { SymbolsRoom } from '../symbols/room.ts'
import { type Control, createControl } from './control.ts'
import { testFaults, testReset, testSeed } from './reset.ts'
import {
  testAppKey,
  testDatasource,
  testDatasourceDelete,
  testIncident,
  testMember,
  testMemberDelete,
} from './resources.ts'
import { testClock, testFireDue } from './time.ts'
import { testUploads } from './uploads.ts'

export type { Control } from './control.ts'
export { matchesUpload, type UploadFilter } from './uploads.ts'

export const TEST_OPERATIONS = [
  testUploads,
  testIncident,
  testClock,
  testFireDue,
  testFaults,
  testDatasource,
  testDatasourceDelete,
  testMember,
  testAppKey,
  testMemberDelete,
  testReset,
  testSeed,
]

const UNRULED = { limiter: { take: async () => ({}) }, record: () => undefined }

/** Serves the test routes, which have a separate OpenAPI description. */
export class TestingRoom implements Room {
  readonly name = 'testing'
  readonly operations = []
  readonly #seed: Seed
  readonly #symbols: SymbolsRoom
  readonly #oncall: OncallRoom
  /** Set when the room opens. */
  control!: Control

  constructor(seed: Seed, symbols: SymbolsRoom, oncall: OncallRoom) {
    this.#seed = seed
    this.#symbols = symbols
    this.#oncall = oncall
  }

  async open(core: Core): Promise<void> {
    this.control = createControl(this.#seed, core, this.#oncall)
  }

  route(app: FastifyInstance, core: Core): void {
    const { store } = this.#symbols.services
    const services = { ...core.services, ...this.#oncall.services, store, control: this.control }
    let document: object | undefined
    app.get('/__test/openapi.json', async (request) => {
      checkHost(request.raw, core.hosts)
      document ??= openapi(TEST_OPERATIONS, 'symup intake: routes for tests')
      return document
    })
    app.register(async (scope) => routeOperations(scope, TEST_OPERATIONS, services, UNRULED))
  }
}
