import type { Database } from '../../platform/database/database.ts'

type On = Pick<Database['db'], 'selectFrom' | 'insertInto'>

/** Change counter of an account's resources. It only grows, so that caches can detect changes. */
export async function revisionOf(on: On, accountId: number): Promise<number> {
  const found = on.selectFrom('resource_revision').select('revision').where('account_id', '=', accountId)
  return (await found.executeTakeFirst())?.revision ?? 0
}

/** Call it in the transaction of the change. @returns the new revision. */
export async function countChange(on: On, accountId: number): Promise<number> {
  const { revision } = await on
    .insertInto('resource_revision')
    .values({ account_id: accountId, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ revision: eb('resource_revision.revision', '+', 1) })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}
