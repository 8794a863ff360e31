import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address that leads to whatever port it was last told, as the address of a cluster does. */
export interface Switch {
  port: number
  /** Cuts every connection; new ones lead to the port. */
  pointTo(port: number): void
  close(): void
}

export async function openSwitch(first: number): Promise<Switch> {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.setNoDelay()
      one.on('error', () => other.destroy())
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(port) {
      target = port
      cut()
    },
    close() {
      server.close()
      cut()
    },
  }
}
