import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { DEFAULT_SEED, type Intake, type IntakeOptions, startIntake } from '../index.ts'
import { internalsOf } from '../internals.ts'
import { post, upload } from './client.fixture.ts'

type Rest<T extends unknown[]> = T extends [string, ...infer Others] ? Others : never

export interface Caller {
  intake: Intake
  post(...asked: Rest<Parameters<typeof post>>): ReturnType<typeof post>
  upload(...sent: Rest<Parameters<typeof upload>>): ReturnType<typeof upload>
}

/** Starts an intake without rate limits. @returns a client that calls it. */
export async function callIntake(options: IntakeOptions = {}): Promise<Caller> {
  const intake = await startIntake({
    seed: DEFAULT_SEED,
    rateLimits: { perSecond: false, perMinute: false },
    ...options,
  })
  return {
    intake,
    post: (...asked) => post(intake.url, ...asked),
    upload: (...sent) => upload(intake.url, ...sent),
  }
}

export interface SharedCaller extends Caller {
  /** The data directory of the intake. */
  readonly dataDir: string
}

/**
 * One intake for the tests in a file, reset to its seed before each test.
 * @param keeps skips the slow reset. Use it for tests that change nothing.
 */
export function useCaller(options: IntakeOptions = {}, { keeps = false } = {}): SharedCaller {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-caller-'))
  let caller: Caller | undefined
  const started = () => {
    if (!caller) throw new Error('The intake starts in beforeAll, so use it only within a test.')
    return caller
  }
  beforeAll(async () => {
    caller = await callIntake({ dataDir, ...options })
  })
  if (!keeps) beforeEach(() => internalsOf(started().intake).control.reset(options.seed ?? DEFAULT_SEED))
  afterAll(async () => {
    await caller?.intake.close()
    rmSync(dataDir, { recursive: true })
  })
  return {
    dataDir,
    get intake() {
      return started().intake
    },
    post: (...asked) => started().post(...asked),
    upload: (...sent) => started().upload(...sent),
  }
}
