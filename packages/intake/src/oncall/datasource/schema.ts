import Type, { type Static } from 'typebox'
import { Anything, Instant, UnsignedId } from '../../platform/wire/schema.ts'

const DATASOURCE_TYPES = [
  'prometheus',
  'loki',
  'mysql',
  'oracle',
  'postgres',
  'clickhouse',
  'elasticsearch',
  'sls',
  'victorialogs',
] as const

const shared = {
  id: UnsignedId,
  type_ident: Type.String({ minLength: 1 }),
  name: Type.String(),
  address: Type.String(),
}

export const DatasourceItem = Type.Object({
  ...shared,
  account_id: UnsignedId,
  enabled: Type.Boolean(),
  note: Type.String(),
  /** One property, named as the type. */
  payload: Type.Unsafe<Record<string, Record<string, unknown>>>({
    type: 'object',
    properties: Object.fromEntries(DATASOURCE_TYPES.map((type) => [type, Anything])),
    additionalProperties: true,
  }),
  edge_cluster_name: Type.String(),
  updated_at: Instant,
})

/** As a seed has it; `payload` is that of the type, without the type's name around it. Secrets in it are forgotten when it is read. */
export const SeededDatasource = Type.Object({
  ...shared,
  enabled: Type.Optional(Type.Boolean()),
  note: Type.Optional(Type.String()),
  payload: Type.Optional(Anything),
  edge_cluster_name: Type.Optional(Type.String()),
  updated_at: Type.Optional(Instant),
})

export type DatasourceItem = Static<typeof DatasourceItem>
export type SeededDatasource = Static<typeof SeededDatasource>
