import { contracted } from '../../platform/wire/contract.ts'
import { Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'

export const auditOperationList = defineOperation({
  path: '/audit/operation/list',
  name: 'audit:read:operation-list',
  title: { en: 'List auditable operation types', zh: '查看审计操作类型' },
  permissions: ['Audit Read'],
  isBodyOptional: true,
  body: Type.Object({}),
  data: contracted('AuditOperationListResponse'),
  example: {},
  run: ({ titles }) => ({ items: [...titles].map(([name, { zh }]) => ({ name, name_cn: zh })) }),
})
