import { spawn } from 'node:child_process'
import { createReadStream, statSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { expect } from 'vitest'
import { freePort, listen, type Site } from './server.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Serves a directory below a path, like a web server after a deployment. */
export async function serve(directory: string, base: string): Promise<Site> {
  const { url, close } = await listen(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://x')
    const below = normalize(decodeURIComponent(pathname)).slice(base.length) || 'index.html'
    const file = join(directory, below)
    if (!pathname.startsWith(base) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return { url: `${url}${base}`, close }
}

/**
 * Starts an app's own server, and waits until it answers.
 * @param program the Node that runs it.
 * @param server returns its script and arguments for a port. `PORT` also contains the port.
 */
export async function serveBy(
  directory: string,
  program: string,
  server: (port: number) => readonly string[],
): Promise<Site> {
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production', PORT: `${port}`, HOST: '127.0.0.1' }
  const child = spawn(program, server(port), { cwd: directory, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
  const url = `http://127.0.0.1:${port}/`
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok || output,
      () => output,
    )
  const close = async () => void child.kill()
  await expect
    .poll(answers, { timeout: 30_000, interval: 200 })
    .toBe(true)
    .catch(async (error: unknown) => {
      await close()
      throw error
    })
  return { url, close }
}
