import { checkSeed, type Seed, SeedError } from '../oncall/room.ts'
import { invalidParameter } from '../platform/errors.ts'
import { describeFault, type Fault, parseFault } from '../platform/faults/fault.ts'
import { Anything, Type } from '../platform/wire/schema.ts'
import { defineTestOperation } from './operation.ts'

/** Deletes uploads, runs, incidents, audit records, faults and added keys, and restores the real time. */
export const testReset = defineTestOperation({
  path: '/__test/reset',
  name: 'test:write:reset',
  title: { en: 'Reset to the seed', zh: '恢复到种子数据' },
  isBodyOptional: true,
  body: Type.Object({}),
  example: {},
  async run({ control }) {
    await control.reset()
  },
})

/**
 * Like `/__test/reset`, but with a different seed, which applies until the intake ends. After that, only the keys in the new seed are
 * valid.
 */
export const testSeed = defineTestOperation({
  path: '/__test/seed',
  name: 'test:write:seed',
  title: { en: 'Replace the seed', zh: '替换种子数据' },
  body: Type.Object({
    seed: Anything,
  }),
  example: {
    seed: {
      accounts: [
        {
          account_id: 1,
          name: 'Shop',
          members: [{ person_id: 100, name: 'Ann', role: 'admin' }],
          app_keys: [{ key: 'ann-app-key', person_id: 100, permissions: [] }],
        },
      ],
    },
  },
  async run({ control }, { seed }) {
    await control.reset(await checked(seed))
  },
})

/** @throws ApiError that describes the fault. */
async function checked(seed: unknown): Promise<Seed> {
  try {
    return await checkSeed(seed)
  } catch (error) {
    if (error instanceof SeedError) throw invalidParameter('seed', `${error.message}.`)
    throw error
  }
}

/** An empty list removes all faults. */
export const testFaults = defineTestOperation({
  path: '/__test/faults',
  name: 'test:write:faults',
  title: { en: 'Make requests fail', zh: '注入故障' },
  isBodyOptional: true,
  body: Type.Object({
    /** In the syntax of `--fault`, such as `429;route=/channel/list;times=2`. */
    faults: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })),
  }),
  data: Type.Object({ faults: Type.Array(Type.String()) }),
  example: { faults: ['429;route=/channel/list;retry-after=1;times=1'] },
  run({ control }, { faults = [] }) {
    const given = faults.map(parsed)
    try {
      control.faults?.set(given)
    } catch (error) {
      throw invalidParameter('faults', (error as Error).message)
    }
    return { faults: (control.faults?.all() ?? []).map(describeFault) }
  },
})

function parsed(text: string, nth: number): Fault {
  try {
    return parseFault(text)
  } catch (error) {
    throw invalidParameter(`faults[${nth}]`, (error as Error).message)
  }
}
