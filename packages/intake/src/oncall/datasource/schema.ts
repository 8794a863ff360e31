import { Anything, Instant, type Static, Type, UnsignedId } from '../../platform/wire/schema.ts'

/** Datasource in a seed. The fields of `payload` depend on the type. Secrets are removed when the seed is read. */
export const SeededDatasource = Type.Object({
  id: UnsignedId,
  type_ident: Type.String({ minLength: 1 }),
  name: Type.String(),
  address: Type.String(),
  enabled: Type.Optional(Type.Boolean()),
  note: Type.Optional(Type.String()),
  payload: Type.Optional(Anything),
  edge_cluster_name: Type.Optional(Type.String()),
  updated_at: Type.Optional(Instant),
})

export type SeededDatasource = Static<typeof SeededDatasource>
