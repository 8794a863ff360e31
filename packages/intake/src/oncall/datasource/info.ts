import { notFound } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import { Anything, Instant, type Static, Type, UnsignedId } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'

/** As a seed has it; `payload` is that of the type, without the type's name around it. Secrets in it are forgotten when it is read. */
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

export const datasourceInfo = defineOperation({
  path: '/monit/datasource/info',
  name: 'monit-datasource:read:info',
  title: { en: 'Get datasource detail', zh: '查看数据源详情' },
  permissions: ['Datasources Read'],
  body: Type.Object({ id: UnsignedId }),
  data: contracted('DataSourceItem'),
  example: { id: 10 },
  async run({ caller: { account }, resources }, { id }) {
    const source = (await resources.of(account.id)).datasource.get(id)
    if (!source) throw notFound('id', id)
    const { enabled = true, note = '', edge_cluster_name = 'default', updated_at = 0, payload = {}, ...rest } = source
    return {
      ...rest,
      account_id: account.id,
      enabled,
      note,
      payload: { [source.type_ident]: payload },
      edge_cluster_name,
      updated_at,
    }
  },
})
