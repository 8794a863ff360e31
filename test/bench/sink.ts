import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Received } from './upload/sink.ts'

export interface Sink {
  url: string
  /** What arrived since the last call. */
  received(): Promise<Received>
  stop(): void
}

/** Starts, in a separate process, the intake that stores everything it receives. */
export async function startSink(): Promise<Sink> {
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, 'upload/sink.ts')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const stop = () => void child.kill()
  process.once('exit', stop)
  for await (const line of createInterface({ input: child.stdout })) {
    const url = `http://127.0.0.1:${line}`
    return {
      url,
      received: async () => (await (await fetch(`${url}/received`)).json()) as Received,
      stop: () => {
        process.off('exit', stop)
        stop()
      },
    }
  }
  throw new Error('The sink did not start.')
}
