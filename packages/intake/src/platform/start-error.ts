/** Why an intake cannot start. The message includes the fix. */
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
