import Type from 'typebox'
import { defineOperation } from '../../operation.ts'
import { Anything, OneOf } from '../../wire/schema.ts'
import { enrichStack } from '../stack-enrich.ts'

export const sourcemapStackEnrich = defineOperation({
  path: '/sourcemap/stack/enrich',
  name: 'sourcemap:read:stack-enrich',
  title: { en: 'Resolve a stack', zh: '还原错误堆栈' },
  body: Type.Object({
    service: Type.String({ minLength: 1 }),
    version: Type.String({ minLength: 1 }),
    type: Type.Optional(OneOf(['browser', 'android', 'ios', 'miniprogram', 'harmony'])),
    stack: Type.Optional(Type.String()),
    /** Source lines on each side. */
    near: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 3 })),
    /** Beyond the contract: tells mini programs of the same service and version apart. */
    appid: Type.Optional(Type.String()),
    /** Beyond the contract: Unix milliseconds; what was uploaded later is said to be. */
    event_time: Type.Optional(Type.Integer({ minimum: 0 })),
    no_cache: Type.Optional(Type.Boolean()),
    build_id: Type.Optional(Type.String()),
    variant: Type.Optional(Type.String()),
    arch: Type.Optional(Type.String()),
    source_type: Type.Optional(Type.String()),
    binary_images: Type.Optional(Type.Array(Anything)),
  }),
  /** Beyond the contract: the text of a JVM stack as the original program would have printed it. */
  data: Type.Object(
    { frames: Type.Array(Anything), retraced: Type.Optional(Type.String()) },
    { additionalProperties: true },
  ),
  example: { service: 'shop', version: '1.2.3', type: 'browser', stack: 'Error: x\n    at f (https://h/a.js:1:2)' },
  async run({ store, symbolicator, caller }, body) {
    return (await enrichStack(store, symbolicator, caller.account.id, body)) as { frames: Record<string, unknown>[] }
  },
})
