import { DEFAULT_SEED, type Intake, type IntakeOptions, startIntake } from '../index.ts'

interface Answer {
  status: number
  headers: Headers
  /** As it came, digit by digit. */
  text: string
  code: string | undefined
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any
}

export interface Caller {
  intake: Intake
  /** Sends text as it is and anything else as JSON, with `dev-app-key` unless told otherwise. */
  post(path: string, body?: unknown, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer>
}

/** An intake without rate limits, and who calls it. */
export async function callIntake(options: IntakeOptions = {}): Promise<Caller> {
  const intake = await startIntake({
    seed: DEFAULT_SEED,
    rateLimits: { perSecond: false, perMinute: false },
    ...options,
  })
  return {
    intake,
    async post(path, body, { key = 'dev-app-key', headers = {} } = {}) {
      const query = key === '' ? '' : `?app_key=${encodeURIComponent(key)}`
      const response = await fetch(`${intake.url}${path}${query}`, {
        method: 'POST',
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const { request_id, data, error } = JSON.parse(text)
      if (response.headers.get('service-request-id') !== request_id) throw new Error(`request ids differ: ${text}`)
      if ((data === undefined) !== response.status >= 400 || (error === undefined) !== response.status < 400) {
        throw new Error(`neither success nor failure: ${response.status} ${text}`)
      }
      return {
        status: response.status,
        headers: response.headers,
        text,
        code: error?.code,
        message: error?.message ?? '',
        data,
      }
    },
  }
}
