import { Secret } from '../model/secret.ts'
import type { Problem } from '../problems/problems.ts'
import { connectionSettings, type Settings } from '../settings/settings.ts'
import { PROBE_BODY } from '../transport/probe.ts'
import { resultOf } from './attempt-result.ts'
import { type Adapter, Intake } from './intake.ts'

/** If the intake does not respond within 5 s, the artifacts are sent anyway. */
const TIMEOUT_MS = 5000
const TIMEOUTS = { connect: TIMEOUT_MS, idle: TIMEOUT_MS, attempt: TIMEOUT_MS }

/**
 * Sends an empty form to find out whether the intake accepts the key. An intake checks the key first and then rejects the form, so nothing
 * is stored.
 * @returns a problem if the key is rejected or the endpoint redirects. Other responses and missing responses are ignored.
 */
export async function checkKey(settings: Settings, adapter: Adapter): Promise<Problem | undefined> {
  const apiKey = settings.apiKey?.value ?? new Secret('')
  const endpoint = settings.endpoint.value
  let intake: Intake | undefined
  try {
    intake = await Intake.open({
      ...{ endpoint: new URL(endpoint), apiKey, adapter, connections: 1, timeouts: TIMEOUTS },
      ...connectionSettings(settings),
    })
    const answer = await intake.send(PROBE_BODY)
    const { stopsRun, problem } = resultOf(answer, { file: '', endpoint, clean: (text) => apiKey.redact(text) })
    const isRedirect = answer.status >= 300 && answer.status < 400
    // The web page may come from a firewall that blocks only forms without a file, so the upload is still attempted.
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true
    return stopsRun && (isRedirect || (problem?.code !== 'endpoint-wrong' && !isPage)) ? problem : undefined
  } catch {
    // The upload itself will report the error.
    return undefined
  } finally {
    intake?.close()
  }
}
