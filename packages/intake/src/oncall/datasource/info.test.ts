import { expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const caller = useCaller({}, { keeps: true })

const info = (id: string) => caller.post('/monit/datasource/info', `{"id":${id}}`)

it('returns the fields of the type, with empty passwords', async () => {
  expect((await info('10')).data).toEqual({
    id: 10,
    account_id: 10023,
    type_ident: 'prometheus',
    name: 'Prometheus Prod',
    enabled: true,
    note: 'Production Prometheus',
    address: 'http://prometheus.example.com:9090',
    payload: {
      prometheus: {
        basic_auth_enabled: true,
        basic_auth_username: 'reader',
        basic_auth_password: '',
        tls_skip_verify: false,
      },
    },
    edge_cluster_name: 'default',
    updated_at: 1767603600,
  })
})

it('keeps every digit of an id', async () => {
  expect((await info('9007199254740993')).text).toContain('"id":9007199254740993,')
  expect(await info('9007199254740992')).toMatchObject({ status: 400, code: 'ResourceNotFound' })
  expect((await info('18446744073709551615')).message).toContain('18446744073709551615')
})

it.each(['-1', '18446744073709551616', '1.5', '"10"', 'true', '[]', '1e400', '123456789012345678901234567890'])(
  'refuses the id %s',
  async (id) => expect(await info(id)).toMatchObject({ status: 400, code: 'InvalidParameter' }),
)
