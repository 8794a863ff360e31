/** Why an intake does not start: what was asked of it cannot be. The message says what to do. */
export class StartError extends Error {
  readonly code:
    | 'package-missing'
    | 'room-missing'
    | 'seed-missing'
    | 'fault-refused'
    | 'test-routes-refused'
    | 'rum-refused'

  constructor(code: StartError['code'], message: string) {
    super(message)
    this.code = code
  }
}
