import { Id, Instant, Type } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'

/** Source of the response format: the service's SDK. */
export const accountInfo = defineOperation({
  path: '/account/info',
  name: 'account:read:info',
  title: { en: 'Get account info', zh: '查看账户信息' },
  isBodyOptional: true,
  body: Type.Object({}),
  data: Type.Object({
    account_id: Id,
    account_name: Type.String(),
    domain: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    country_code: Type.String(),
    avatar: Type.String(),
    locale: Type.String(),
    time_zone: Type.String(),
    created_at: Instant,
  }),
  example: {},
  run: ({ caller: { account } }) => ({
    account_id: account.id,
    account_name: account.name,
    domain: '',
    email: '',
    phone: '',
    country_code: '',
    avatar: '',
    locale: 'en-US',
    time_zone: account.timezone,
    created_at: 0,
  }),
})
