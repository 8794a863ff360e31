import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcomes } from './outcomes.ts'

const UPLOADERS = 4
const ASKERS = 4
const EDITORS = 2
/** Milliseconds that a client waits for an answer, and before it tries another intake. */
const ANSWER_MS = 20_000
const RETRY_MS = 100
/** Of one uploader: a file in four is sent again with another content. */
const SHARE_REPLACED = 0.25
/** Half of the stacks are of files that have just come, which no intake has in memory. */
const RECENT = 40

/** A value that one client writes and any may read. */
interface Register {
  name: string
  /** Every value that was sent. */
  sent: string[]
  /** Index of the last one that an intake acknowledged; -1 for none. */
  acknowledged: number
}

/** Clients of intakes that all have the same records: each write goes on until an intake takes it, and each answer is compared. */
export interface Load {
  stop(): Promise<void>
  /** @returns the files that were acknowledged and are not there, or are others. */
  missing(): Promise<string[]>
}

export function startLoad(urls: readonly string[], random: () => number, outcomes: Outcomes): Load {
  const files: Register[] = []
  let isOver = false
  let turn = 0
  const nextUrl = () => urls[turn++ % urls.length] as string

  /** Tries until an intake answers 200, and tells what any other answer was. */
  const insist = async (kind: string, attempt: (url: string) => Promise<Answer>): Promise<Answer> => {
    const operation = outcomes.begin(kind)
    for (;;) {
      const answer = await attempt(nextUrl()).catch(() => UNANSWERED)
      if (answer.status === 200) {
        operation.succeeded()
        return answer
      }
      // What an outage may look like: anything else says something wrong.
      if (answer.status !== 0 && answer.status !== 503) operation.wrong(`${answer.status} ${answer.text.slice(0, 300)}`)
      await sleep(RETRY_MS)
    }
  }
  const write = async (register: Register, value: string, kind: string, send: (url: string) => Promise<Answer>) => {
    const index = register.sent.push(value) - 1
    await insist(kind, send)
    register.acknowledged = index
  }
  /** The last acknowledged value, or one that was sent after it. */
  const read = async (register: Register, kind: string, ask: (url: string) => Promise<Answer>) => {
    const oldest = register.acknowledged
    const { text } = await insist(kind, ask)
    const known = register.sent.slice(Math.max(0, oldest))
    const isRight = known.some((value) => text.includes(`"${value}"`) || text.includes(`/${value}.ts`))
    if (!isRight) outcomes.wrong(kind, `${register.name}: ${known.join(' or ')} expected: ${text.slice(0, 600)}`)
    return isRight
  }

  const upload = async (nth: number) => {
    const own: Register[] = []
    while (!isOver) {
      const isNew = own.length === 0 || random() > SHARE_REPLACED
      const file = isNew
        ? { name: `/u${nth}-${own.length}.js`, sent: [], acknowledged: -1 }
        : (own[Math.floor(random() * own.length)] as Register)
      if (isNew) own.push(file)
      const value = randomBytes(6).toString('hex')
      const filler = randomBytes(500 + Math.floor(random() * 20_000)).toString('hex')
      await write(file, value, 'uploads', (url) => send(url, file.name, value, filler))
      if (isNew) files.push(file)
      await sleep(random() * 50)
    }
  }
  const ask = async () => {
    while (!isOver) {
      const from = random() < 0.5 ? Math.max(0, files.length - RECENT) : 0
      const file = files[from + Math.floor(random() * (files.length - from))]
      if (file) await read(file, 'stacks', (url) => stackOf(url, file.name))
      await sleep(random() * 50)
    }
  }
  const edit = async (nth: number) => {
    const created = await insist('JSON operations', (url) => post(url, '/safari/automation/rule/create', newRule(nth)))
    const { rule_id } = (JSON.parse(created.text) as { data: { rule_id: string } }).data
    const rule: Register = { name: rule_id, sent: ['v0'], acknowledged: 0 }
    for (let count = 1; !isOver; count++) {
      const prompt = `v${count}`
      const update = (url: string) => post(url, '/safari/automation/rule/update', { rule_id, prompt })
      await write(rule, prompt, 'JSON operations', update)
      await read(rule, 'JSON operations', (url) => post(url, '/safari/automation/rule/get', { rule_id }))
      await sleep(random() * 100)
    }
  }

  const times = (count: number, work: (nth: number) => Promise<void>) =>
    Array.from({ length: count }, (_, nth) => work(nth))
  const working = [...times(UPLOADERS, upload), ...times(ASKERS, ask), ...times(EDITORS, edit)]
  return {
    async stop() {
      isOver = true
      await Promise.all(working)
    },
    async missing() {
      const missing: string[] = []
      const left = [...files]
      const check = async () => {
        for (let file = left.pop(); file; file = left.pop()) {
          const { name } = file
          if (!(await read(file, 'stacks', (url) => stackOf(url, name)))) missing.push(name)
        }
      }
      await Promise.all(times(8, check))
      return missing
    },
  }
}

interface Answer {
  /** 0 for none. */
  status: number
  text: string
}

const UNANSWERED: Answer = { status: 0, text: '' }

function newRule(nth: number) {
  return { name: `rule ${nth}`, prompt: 'v0', cron_expr: '30 7 * * *' }
}

/** A map of one token, which the name of its source tells from every other. */
function send(url: string, path: string, value: string, filler: string): Promise<Answer> {
  const map = { version: 3, sources: [`src/${value}.ts`], sourcesContent: [filler], names: [], mappings: 'AAAA' }
  const event = { type: 'js_sourcemap', service: 'faults', version: '1', minified_url: path }
  const form = new FormData()
  form.set('event', new Blob([JSON.stringify(event)], { type: 'application/json' }))
  form.set('source_map', new Blob([JSON.stringify(map)]), 'source_map')
  form.set('minified_file', new Blob([`/*${value}*/boom()`]), 'minified_file')
  return call(`${url}/sourcemap/upload`, { body: form, headers: { 'DD-API-KEY': 'dev-api-key' } })
}

function stackOf(url: string, path: string): Promise<Answer> {
  const stack = `Error: x\n    at boom (https://h${path}:1:1)`
  return post(url, '/sourcemap/stack/enrich', { service: 'faults', version: '1', stack })
}

function post(url: string, path: string, body: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' }
  return call(`${url}${path}?app_key=dev-app-key`, { body: JSON.stringify(body), headers })
}

async function call(url: string, request: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { ...request, method: 'POST', signal: AbortSignal.timeout(ANSWER_MS) })
  return { status: answer.status, text: await answer.text() }
}
