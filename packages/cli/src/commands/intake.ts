import { EXIT } from '@symup/core'

export interface IntakeFlags {
  port: number
  host: string
  data?: string
  seed?: string
  fault?: string
}

/** `symup intake`: runs until SIGINT or SIGTERM, then ends cleanly. */
export async function runIntake(flags: IntakeFlags): Promise<number> {
  let intake: typeof import('@symup/intake')
  try {
    intake = await import('@symup/intake')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(
      'The local intake is a package of its own. Install it with:\n  npm install --save-dev @symup/intake\n',
    )
    return EXIT.unusable
  }
  let running: Awaited<ReturnType<typeof intake.startIntake>>
  try {
    const seed = flags.seed === undefined ? undefined : await intake.readSeed(flags.seed)
    running = await intake.startIntake({
      port: flags.port,
      host: flags.host,
      ...(flags.data !== undefined && { dataDir: flags.data }),
      ...(seed && { seed }),
      ...(flags.fault !== undefined && { fault: flags.fault }),
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? `port ${flags.port} is in use; --port 0 picks a free one` : message
    process.stderr.write(`The intake did not start: ${why}.\n`)
    return EXIT.unusable
  }
  process.stdout.write(`symup intake listening on ${running.url}\n`)
  process.stdout.write(
    flags.seed === undefined
      ? 'upload key: dev-api-key   app key: dev-app-key\n'
      : `accounts and keys: ${flags.seed}\n`,
  )
  process.stdout.write(`inspector: ${running.url}/\n`)
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
  await running.close()
  return EXIT.ok
}
