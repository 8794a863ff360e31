import type { FastifyInstance } from 'fastify'
import { checkHost } from '../platform/http/host-check.ts'
import { openapi } from '../platform/http/openapi.ts'
import { routeOperations } from '../platform/http/operation-routes.ts'
import type { Services } from '../platform/operation.ts'
import type { TestServices } from './operation.ts'
import { testFaults, testReset, testSeed } from './reset.ts'
import {
  testAppKey,
  testDatasource,
  testDatasourceDelete,
  testIncident,
  testMember,
  testMemberDelete,
} from './resources.ts'
import { testClock, testFireDue } from './time.ts'
import { testUploads } from './uploads.ts'

/** Operations that only tests need. */
export const TEST_OPERATIONS = [
  testUploads,
  testIncident,
  testClock,
  testFireDue,
  testFaults,
  testDatasource,
  testDatasourceDelete,
  testMember,
  testAppKey,
  testMemberDelete,
  testReset,
  testSeed,
]

const UNLIMITED = { take: async () => ({}) }

/**
 * The test routes, with their own OpenAPI description.
 * @param hosts allowed host names for the description, in addition to addresses and loopback names.
 */
export function routeTests(app: FastifyInstance, services: TestServices & Services, hosts: ReadonlySet<string>): void {
  let document: object | undefined
  app.get('/__test/openapi.json', async (request) => {
    checkHost(request.raw, hosts)
    document ??= openapi(TEST_OPERATIONS, 'symup intake: routes for tests')
    return document
  })
  app.register(async (scope) =>
    routeOperations(scope, TEST_OPERATIONS, services, { limiter: UNLIMITED, record: () => undefined }),
  )
}
