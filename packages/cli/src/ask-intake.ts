import { type connectionSettings, type Platform, type Problem, problem, type Secret, UPLOAD_PATH } from '@symup/core'
import { type Answer, openConnection, post, reasonOf, shownRedirect, statusOf } from '@symup/core/internal'
import { t } from '@symup/core/text'
import type { BinaryImage, Explanation, StackQuestion } from '@symup/symbolicate'
import { readEnrichedAnswer } from '@symup/symbolicate/internal'
import { CommandFailure } from './failure.ts'

export type Question = StackQuestion & { platform: Platform }

export interface IntakeAddress {
  url: string
  appKey: Secret
  connection: ReturnType<typeof connectionSettings>
}

/** Limits for a response. A response with 500 frames and their source lines is about 500 KB in size. */
const LIMITS = { milliseconds: 30_000, bytes: 16 * 1024 * 1024 }

/** @throws CommandFailure if the intake cannot be reached or returns an error. */
export async function askIntake(question: Question, address: IntakeAddress, limits = LIMITS): Promise<Explanation> {
  const shown = `${address.url.replace(/\/+$/, '').replace(new RegExp(`${UPLOAD_PATH}$`), '')}/sourcemap/stack/enrich`
  const answer = await postQuestion(question, shown, address, limits)
  const { data, error } = parsed(answer.body)
  const explanation = answer.status === 200 ? readEnrichedAnswer(data) : undefined
  if (explanation) return explanation
  const message = typeof error?.message === 'string' ? error.message : undefined
  throw new CommandFailure([refusal(shown, answer, message, address.appKey)])
}

/** @returns an empty object if the text is not a JSON object. */
function parsed(json: string): { data?: unknown; error?: { message?: unknown } | null } {
  try {
    return JSON.parse(json) ?? {}
  } catch {
    return {}
  }
}

async function postQuestion(
  question: Question,
  shown: string,
  { appKey, connection: choice }: IntakeAddress,
  { milliseconds, bytes }: typeof LIMITS,
) {
  const { service, version, stack, near, platform, appid, variant, buildId, debugIds, eventTime, images } = question
  const url = new URL(shown)
  const timeouts = { connect: milliseconds, idle: milliseconds, attempt: milliseconds }
  const connection = await openConnection({ endpoint: url, ...choice, connections: 1, timeouts })
  try {
    return await post(connection, {
      path: `${url.pathname}?${new URLSearchParams({ app_key: appKey.reveal() })}`,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          ...{ type: platform, stack, near, appid, variant },
          // The API requires a service and a version, even if an id alone identifies the file.
          ...{ service: service || NOT_KNOWN, version: version || NOT_KNOWN },
          ...{ build_id: buildId, debug_ids: debugIds, event_time: eventTime, binary_images: images?.map(onTheWire) },
        }),
      ),
      maxAnswerBytes: bytes,
    })
  } catch (error) {
    throw new CommandFailure([
      problem('unreachable', t`Could not reach ${shown}. ${reasonOf(error)}`, {
        fix: t`Check the address, the network and the proxy, then try again.`,
      }),
    ])
  } finally {
    connection.close()
  }
}

const NOT_KNOWN = '-'

function refusal(shown: string, answer: Answer, reported: string | undefined, appKey: Secret): Problem {
  const { location } = answer.headers
  const status = statusOf(answer)
  const message = reported !== undefined ? reported.replaceAll(appKey.reveal(), '***').replace(/\.+$/, '') : ''
  const answered =
    message === '' ? t`${shown} returned HTTP ${answer.status}` : t`${shown} returned HTTP ${answer.status}: ${message}`
  if (status === 401 || status === 403) return problem('app-key-refused', t`${answered}.`)
  if (status >= 300 && status < 400 && location !== undefined)
    return problem(
      'endpoint-wrong',
      t`${shown} redirects (HTTP ${answer.status}) to ${shownRedirect(location.replaceAll(appKey.reveal(), '***'))}. symup does not follow redirects.`,
    )
  if (status === 429) return problem('rate-limited', t`${answered}.`, { fix: t`Try again later.` })
  if (status >= 500) return problem('server-error', t`${answered}.`, { fix: t`Try again later.` })
  if (message !== '')
    return problem('value-invalid', t`${answered}.`, {
      fix: t`Correct the value that the intake reports as invalid.`,
    })
  return problem(
    'endpoint-wrong',
    t`${shown} returned HTTP ${answer.status}, but the response did not come from an intake.`,
  )
}

function onTheWire({ loadAddress, maxAddress, isSystem, ...image }: BinaryImage): object {
  const end = maxAddress === undefined ? {} : { max_address: `0x${maxAddress.toString(16)}` }
  return { ...image, load_address: `0x${loadAddress.toString(16)}`, ...end, is_system: isSystem }
}
