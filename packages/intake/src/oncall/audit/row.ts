import type { FastifyRequest } from 'fastify'
import { maskedBodyOf, maskedValue } from '../../platform/http/mask.ts'
import type { Call, Operation } from '../../platform/operation.ts'
import type { NewAuditRow } from './append.ts'

const MAX_PARAMS = 20

/** The record of one request. Parameters come from the path and query, without the app key. */
export function auditRow(
  request: FastifyRequest,
  { caller, ip, now }: Call,
  { name, isDangerous }: Operation,
): NewAuditRow {
  const params = [
    ...Object.entries(request.params as Record<string, string>),
    ...Object.entries(request.query as Record<string, unknown>).filter(([key]) => key !== 'app_key'),
  ].slice(0, MAX_PARAMS)
  return {
    account_id: caller.account.id,
    created_at: now(),
    member_id: String(caller.member.id),
    member_name: caller.member.name,
    request_id: request.id,
    ip,
    operation: name,
    body: maskedBodyOf(request),
    params: JSON.stringify(params.map(([Key, value]) => ({ Key, Value: maskedValue(Key, String(value)) }))),
    is_dangerous: isDangerous ? 1 : 0,
    is_write: name.includes(':write:') ? 1 : 0,
  }
}
