import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from './schema.ts'

export interface Dialect {
  integer: string
  serial: string
  isPostgres: boolean
}

/** A step in the schema history, which is shared by all rooms. Never edit a released step. */
export interface Migration {
  /** One-based number in the schema history. Steps of different rooms may have the same number. */
  step: number
  statements(dialect: Dialect): string[]
}

/** Older PostgreSQL databases record the steps up to this number as a single step. */
export const FIRST_OF_POSTGRES = 5

/** Defines SQLite functions that PostgreSQL lacks, so that the same queries work in both databases. */
const POSTGRES_FUNCTIONS = [
  `create function instr(text, text) returns integer language sql immutable as 'select strpos($1, $2)'`,
  `create function json_extract(document text, place text) returns text language plpgsql immutable strict as $$
    begin
      return jsonb_path_query_first(document::jsonb, place::jsonpath) #>> '{}';
    exception when others then
      return null;
    end $$`,
]

const OWN: readonly Migration[] = [
  { step: 1, statements: ({ isPostgres }) => (isPostgres ? POSTGRES_FUNCTIONS : []) },
  {
    step: 2,
    statements: ({ isPostgres }) => [
      'create table secret (name text primary key, value text not null)',
      // The rate-limiter-flexible library requires a table in this format.
      ...(isPostgres
        ? ['create table rate_limit (key varchar(255) primary key, points integer not null default 0, expire bigint)']
        : []),
    ],
  },
]

export function stepsOf(migrations: readonly Migration[]): number {
  return Math.max(...[...OWN, ...migrations].map(({ step }) => step))
}

export async function runMigrations(
  transaction: Kysely<Tables>,
  migrations: readonly Migration[],
  dialect: Dialect,
  done: number,
): Promise<void> {
  const left = [...OWN, ...migrations].filter(({ step }) => step > done).sort((a, b) => a.step - b.step)
  for (const { statements } of left)
    for (const statement of statements(dialect)) await sql.raw(statement).execute(transaction)
}
