interface Answer {
  status: number
  headers: Headers
  /** The body as received, with all digits. */
  text: string
  code: string | undefined
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every form
  data: any
}

/** Sends text unchanged and anything else as JSON. Default key: `dev-app-key`. */
export async function post(
  url: string,
  path: string,
  body?: unknown,
  { key = 'dev-app-key', headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const query = key === '' ? '' : `?app_key=${encodeURIComponent(key)}`
  const response = await fetch(`${url}${path}${query}`, {
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
  const { status, headers: answered } = response
  return { status, headers: answered, text, code: error?.code, message: error?.message ?? '', data }
}

/** Uploads files by part name. By default, the file name is the part name. */
export async function upload(
  url: string,
  event: object,
  files: Readonly<Record<string, string | Buffer | File>>,
  headers: Record<string, string> = {},
): Promise<Omit<Answer, 'text' | 'data'>> {
  const body = new FormData()
  body.set('event', JSON.stringify(event))
  for (const [name, content] of Object.entries(files))
    body.set(name, content instanceof File ? content : new File([content], name))
  const response = await fetch(`${url}/sourcemap/upload`, {
    method: 'POST',
    headers: { 'DD-API-KEY': 'dev-api-key', ...headers },
    body,
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  const { status, headers: answered } = response
  return { status, headers: answered, code: error?.code, message: error?.message ?? '' }
}
