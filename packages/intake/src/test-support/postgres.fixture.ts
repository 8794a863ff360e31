import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../../test/support/server.ts'

/** A real PostgreSQL server with its own port and directory. */
export interface Postgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Stops the server at once, which cuts every connection, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'

/** The directory with `initdb` and `postgres`. Undefined if PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

export async function startPostgres(): Promise<Postgres> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql)')
  const directory = mkdtempSync(join(tmpdir(), 'symup-postgres-'))
  const data = join(directory, 'data')
  const owner = postgresUser()
  if (owner) {
    chmodSync(directory, 0o755)
    execFileSync('chown', ['postgres', directory])
  }
  const options = { cwd: '/', stdio: 'ignore' as const, ...owner }
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'symup', '-E', 'UTF8', '--no-sync'], options)
  const port = await freePort()
  // The data need not survive a crash. On a slow disk, syncing the files of every database takes minutes.
  const settings = { listen_addresses: '127.0.0.1', max_connections: 200, fsync: 'off', full_page_writes: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = async () => {
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', directory, ...flags],
      options,
    )
    await untilReady(port)
    return server
  }
  const stop = async (signal: 'SIGINT' | 'SIGQUIT') => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await gone
  }
  let server = await start()
  let databases = 0
  return {
    async createDatabase() {
      const name = `symup_${++databases}`
      await query(port, `create database ${name}`)
      return `postgres://symup@127.0.0.1:${port}/${name}`
    },
    async restart() {
      // PostgreSQL's "fast" shutdown does not wait for clients.
      await stop('SIGINT')
      server = await start()
    },
    async close() {
      // PostgreSQL's "immediate" shutdown skips the checkpoint, because nobody reads these files again.
      await stop('SIGQUIT')
      // A test hook must not wait until thousands of files are deleted on a busy disk.
      spawn('rm', ['-rf', directory], { stdio: 'ignore', detached: true }).unref()
    },
  }
}

/** PostgreSQL refuses to run as root, so the fixture runs it as another user. */
function postgresUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? userId('postgres') : undefined
}

function userId(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query(port, 'select 1')
    } catch (error) {
      if (attempt === 200) throw error
      await sleep(50)
    }
  }
}

async function query(port: number, text: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'symup', database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
