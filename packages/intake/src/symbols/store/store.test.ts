import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { openStore } from '../../open-store.ts'
import { itIsAStore } from './store-contract.fixture.ts'

const directory = useDirectory()

describe('a store in SQLite and on disk', () => itIsAStore(async () => ({})))

it.each([
  ['mysql://localhost/x', undefined, 'postgres://'],
  [undefined, 'https://bucket/x', 's3://bucket/prefix'],
  [undefined, 's3://key:secret@bucket/x', 'must not contain credentials'],
  [undefined, 's3://bucket/x?endpont=http://x', 'unknown setting endpont'],
  [undefined, 's3://My_Bucket/x', 'The bucket name My_Bucket is invalid'],
  [undefined, 's3://127.0.0.1/x', 'The bucket name 127.0.0.1 is invalid'],
])('refuses %s %s', async (database, blobs, message) => {
  const addresses = { ...(database && { database }), ...(blobs && { blobs }) }
  await expect(openStore(join(directory, 'refused'), addresses)).rejects.toThrow(message)
})
