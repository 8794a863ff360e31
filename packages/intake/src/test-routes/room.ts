import type { FastifyInstance } from 'fastify'
import type { OncallRoom, Seed } from '../oncall/room.ts'
import type { Core, Room } from '../platform/room.ts'
import type { SymbolsRoom } from '../symbols/room.ts'
import { Control } from './control.ts'
import { routeTests } from './routes.ts'

export { Control } from './control.ts'
export { TEST_OPERATIONS } from './routes.ts'
export { matchesUpload, type UploadFilter } from './uploads.ts'

/** Routes for tests, which have their own OpenAPI description. */
export class TestingRoom implements Room {
  readonly name = 'testing'
  readonly operations = []
  readonly #seed: Seed
  readonly #symbols: SymbolsRoom
  readonly #oncall: OncallRoom
  #control: Control | undefined

  constructor(seed: Seed, symbols: SymbolsRoom, oncall: OncallRoom) {
    this.#seed = seed
    this.#symbols = symbols
    this.#oncall = oncall
  }

  get control(): Control {
    if (!this.#control) throw new Error('The testing room is not open')
    return this.#control
  }

  async open(core: Core): Promise<void> {
    this.#control = new Control(this.#seed, core, this.#oncall)
  }

  route(app: FastifyInstance, core: Core): void {
    const { store } = this.#symbols.services
    routeTests(app, { ...core.services, ...this.#oncall.services, store, control: this.control }, core.hosts)
  }
}
