// The minimum for any uploader on Node: `floor.ts <directory> <address> <level>` reads every pair, compresses it with
// gzip in the thread pool, and posts it, without any error handling.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const [directory = '', address = '', level = '6'] = process.argv.slice(2)
const compress = promisify(gzip)
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const maps = readdirSync(directory).filter((name) => name.endsWith('.map'))

async function lane() {
  for (let map = maps.pop(); map !== undefined; map = maps.pop()) {
    const names = [map, map.slice(0, -'.map'.length)]
    const chunks = names.flatMap((name) => [
      Buffer.from(`--floor\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n`),
      readFileSync(join(directory, name)),
      Buffer.from('\r\n'),
    ])
    const body = await compress(Buffer.concat([...chunks, Buffer.from('--floor--\r\n')]), { level: Number(level) })
    await new Promise((done, fail) => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=floor', 'Content-Encoding': 'gzip' }
      const post = request(address, { method: 'POST', agent, headers }, (response) => response.resume().on('end', done))
      post.on('error', fail).end(body)
    })
  }
}

await Promise.all([lane(), lane(), lane(), lane()])
agent.destroy()
