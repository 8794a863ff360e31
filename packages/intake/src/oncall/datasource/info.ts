import { notFound } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import type { Int64 } from '../../platform/wire/int64.ts'
import { defineOperation } from '../operation.ts'

export const datasourceInfo = defineOperation({
  path: '/monit/datasource/info',
  name: 'monit-datasource:read:info',
  title: { en: 'Get datasource detail', zh: '查看数据源详情' },
  permissions: ['Datasources Read'],
  body: contracted<{ id: Int64 }>('IDRequest'),
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
