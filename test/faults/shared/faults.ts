import { setTimeout as sleep } from 'node:timers/promises'
import type { S3, S3Fault } from '../../../packages/intake/src/test-support/s3.fixture.ts'
import type { Cluster } from './cluster.ts'
import type { IntakeProcess } from './intakes.ts'

export interface Parts {
  cluster: Cluster
  s3: S3
  intakes: readonly IntakeProcess[]
  random: () => number
}

export interface Fault {
  name: string
  /** Breaks something, and is over when it is whole again. */
  breakFor(ms: number): Promise<void>
}

const HOUR_MS = 3_600_000
/** Of each query that needs the table of artifacts. */
const SLOW_QUERY_MS = 1_500
const SLOW_S3_MS = 700
/** Of all intakes together, which want up to ten each. */
const FEW_CONNECTIONS = 4

/** Every way in which what the intakes share may break, as far as this machine can make it. */
export function faultsOf({ cluster, s3, intakes, random }: Parts): { faults: Fault[]; notTried: string[] } {
  const anyIntake = () => intakes[Math.floor(random() * intakes.length)] as IntakeProcess
  const s3Fault = (name: string, fault: S3Fault): Fault => ({
    name,
    async breakFor(ms) {
      s3.fail(fault)
      await sleep(ms)
      s3.fail()
    },
  })
  const clock = (name: string, step: number): Fault => ({
    name,
    async breakFor(ms) {
      const one = anyIntake()
      one.stepClock(step)
      await sleep(ms)
      one.stepClock(0)
    },
  })
  const faults: Fault[] = [
    { name: 'PostgreSQL restarted', breakFor: () => cluster.restart() },
    { name: 'PostgreSQL fails over to a replica', breakFor: () => cluster.failOver() },
    {
      name: `PostgreSQL allows ${FEW_CONNECTIONS} connections`,
      async breakFor(ms) {
        await cluster.limitConnections(FEW_CONNECTIONS)
        await sleep(ms)
        await cluster.limitConnections(-1)
      },
    },
    {
      name: `PostgreSQL's queries take up to ${SLOW_QUERY_MS / 1000} s`,
      async breakFor(ms) {
        for (const end = performance.now() + ms; performance.now() < end; await sleep(100))
          await cluster.blockArtifacts(SLOW_QUERY_MS)
      },
    },
    s3Fault('S3 answers 503', (incoming, answer) => {
      incoming.resume()
      answer.writeHead(503).end()
      return true
    }),
    s3Fault('S3 is slow', async () => {
      await sleep(SLOW_S3_MS)
      return false
    }),
    s3Fault('S3 gives wrong bytes', ({ method }) =>
      method === 'GET' && random() < 0.5 ? (chunk) => Buffer.from(chunk).fill(0x20, 0, 1) : false,
    ),
    s3Fault('S3 says that an object is missing', (incoming, answer) => {
      if (!['GET', 'HEAD'].includes(incoming.method ?? '') || random() < 0.5) return false
      incoming.resume()
      answer.writeHead(404, { 'Content-Type': 'application/xml' })
      answer.end(
        incoming.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code><Message>It is missing</Message></Error>',
      )
      return true
    }),
    clock("an intake's clock is an hour ahead", HOUR_MS),
    clock("an intake's clock is an hour behind", -HOUR_MS),
    { name: 'an intake gets SIGKILL', breakFor: () => anyIntake().killAndRestart() },
  ]
  const full = "an intake's disk is full"
  if (!intakes.every(({ hasDisk }) => hasDisk)) return { faults, notTried: [full] }
  faults.push({
    name: full,
    async breakFor(ms) {
      const one = anyIntake()
      one.fillDisk()
      await sleep(ms)
      one.emptyDisk()
    },
  })
  return { faults, notTried: [] }
}
