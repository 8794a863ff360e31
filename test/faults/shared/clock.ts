// The clock of a process, which its parent can step: `{ clock: milliseconds }` from the time of day. Imported before anything that reads it.
let step = 0
const Real = Date

class SteppedDate extends Real {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(Real.now() + step)
    else super(...given)
  }

  static override now(): number {
    return Real.now() + step
  }
}

globalThis.Date = SteppedDate as DateConstructor
process.on('message', ({ clock }: { clock: number }) => {
  step = clock
})
process.on('disconnect', () => process.exit())

export {}
