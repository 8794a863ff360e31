import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { kept, ROWS } from './append.fixture.ts'

const directory = useDirectory()

it('SQLite keeps audit records as they are, in their order', async () => {
  expect(await kept(ROWS, directory)).toEqual(ROWS)
})
