import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, postgresPrograms, postgresUser } from '../../../packages/intake/src/test-support/postgres.fixture.ts'
import { openSwitch } from './switch.ts'

const run = promisify(execFile)
const ROLE = 'intake'
const READY_MS = 30_000

/** A primary PostgreSQL and a replica that has every commit before it is acknowledged, at one address. */
export interface Cluster {
  url: string
  /** Stops the primary, cutting every connection, and starts it again. */
  restart(): Promise<void>
  /** Kills the primary; the replica takes its place and gets a replica of its own. */
  failOver(): Promise<void>
  /** Lets all intakes together have only so many connections; -1 for as many as they like. */
  limitConnections(count: number): Promise<void>
  /** Every query that needs the table of artifacts waits so long. */
  blockArtifacts(ms: number): Promise<void>
  close(): Promise<void>
}

interface Server {
  data: string
  port: number
  child: ChildProcess
}

/** @throws when PostgreSQL is not installed. */
export async function startCluster(): Promise<Cluster> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql)')
  const directory = mkdtempSync(join(tmpdir(), 'symup-cluster-'))
  const owner = postgresUser()
  if (owner) {
    chmodSync(directory, 0o755)
    execFileSync('chown', ['postgres', directory])
  }
  const options = { cwd: '/', ...owner }
  const program = (name: string, args: string[]) => run(join(programs, name), args, options)
  let copies = 0

  const start = async (data: string, port: number): Promise<Server> => {
    const place = ['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1']
    // While a replica is away the primary acknowledges nothing.
    const settings = [...place, '-c', 'wal_retrieve_retry_interval=100ms']
    const child = spawn(join(programs, 'postgres'), settings, { ...options, stdio: 'ignore' })
    await untilAnswered(port)
    return { data, port, child }
  }
  const stop = async ({ child }: Server, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  const copy = async ({ port }: Server): Promise<Server> => {
    const data = join(directory, `copy-${++copies}`)
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'symup']
    await program('pg_basebackup', [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast'])
    const replica = await start(data, await freePort())
    // Only now: a primary that waits for nobody's copy would acknowledge nothing.
    await query(port, "alter system set synchronous_standby_names = '*'")
    await query(port, 'select pg_reload_conf()')
    return replica
  }

  const data = join(directory, 'first')
  await program('initdb', ['-D', data, '-A', 'trust', '-U', 'symup', '-E', 'UTF8', '--no-sync'])
  let primary = await start(data, await freePort())
  await query(primary.port, `create role ${ROLE} login`)
  await query(primary.port, `create database ${ROLE} owner ${ROLE}`)
  let replica = await copy(primary)
  const address = await openSwitch(primary.port)
  return {
    url: `postgres://${ROLE}@127.0.0.1:${address.port}/${ROLE}`,
    async restart() {
      await stop(primary, 'SIGINT')
      primary = await start(primary.data, primary.port)
    },
    async failOver() {
      const old = primary
      // SIGQUIT ends it and its processes at once.
      await stop(old, 'SIGQUIT')
      await program('pg_ctl', ['promote', '-D', replica.data, '-w'])
      primary = replica
      address.pointTo(primary.port)
      replica = await copy(primary)
      rmSync(old.data, { recursive: true, force: true })
    },
    async limitConnections(count) {
      await query(primary.port, `alter role ${ROLE} connection limit ${count}`)
      if (count >= 0)
        await query(primary.port, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
    },
    async blockArtifacts(ms) {
      const lock = `begin; lock table artifact in access exclusive mode; select pg_sleep(${ms / 1000}); commit`
      await query(primary.port, lock, ROLE)
    },
    async close() {
      address.close()
      // The replica first: a primary waits for it.
      await stop(replica, 'SIGQUIT')
      await stop(primary, 'SIGQUIT')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function untilAnswered(port: number): Promise<void> {
  for (const end = Date.now() + READY_MS; ; ) {
    try {
      return await query(port, 'select 1')
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(50)
    }
  }
}

async function query(port: number, text: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'symup', database })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
