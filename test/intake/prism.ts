import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort } from '../support/server.ts'

const STARTS_WITHIN_MS = 40_000

/** Prism between a client and an intake: it forwards everything, and reports contract violations in a header. */
export interface ValidationProxy {
  url: string
  /** One line for each violation, by the request or the answer. */
  violations: string[]
  /** Sends requests through it. */
  fetch: typeof fetch
  stop(): Promise<void>
}

/** @param document path of an OpenAPI document. */
export async function startProxy(document: string, upstream: string): Promise<ValidationProxy> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [prismCli(), 'proxy', document, upstream, '--port', String(port), '--host', '127.0.0.1'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  await listening(child)
  const violations: string[] = []
  return {
    url: `http://127.0.0.1:${port}`,
    violations,
    async fetch(input, init) {
      const response = await fetch(input, init)
      const found = response.headers.get('sl-violations')
      if (found !== null) violations.push(`${input instanceof Request ? input.url : input}: ${found}`)
      return response
    },
    async stop() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

function prismCli(): string {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve('@stoplight/prism-cli/package.json')
  return join(dirname(manifest), require(manifest).bin.prism)
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`prism did not start:\n${output}`)), STARTS_WITHIN_MS)
    const listen = (chunk: Buffer) => {
      output += chunk
      if (!output.includes('Prism is listening')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`prism ended:\n${output}`)))
  })
}
