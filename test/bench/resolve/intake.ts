import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { post } from '../ask.ts'
import type { IntakeCost } from './process.ts'

export interface BenchIntake {
  url: string
  /** The cost since the last call. */
  cost(): Promise<IntakeCost>
  upload(script: string): Promise<void>
  /** Waits until no background work is running. */
  settle(): Promise<void>
  /** @returns the answer's frames. */
  explain(
    stack: string,
  ): Promise<{ converted: boolean; file: string; line: number; column: number; function?: string }[]>
  close(): void
}

/** @param program path of `process.ts`, in this workspace or in another version of it. */
export async function startBenchIntake(program: string): Promise<BenchIntake> {
  const child: ChildProcess = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const cost = async () => {
    const answer = once(child, 'message')
    child.send('cost')
    return ((await answer) as [IntakeCost])[0]
  }
  return {
    url,
    cost,
    async upload(script) {
      const form = new FormData()
      const event = { type: 'js_sourcemap', service: 'bench', version: '1', minified_url: `/${basename(script)}` }
      form.set('event', new Blob([JSON.stringify(event)], { type: 'application/json' }))
      form.set('source_map', await openAsBlob(`${script}.map`), 'source_map')
      form.set('minified_file', await openAsBlob(script), 'minified_file')
      const headers = { 'DD-API-KEY': 'dev-api-key' }
      const answer = await fetch(`${url}/sourcemap/upload`, { method: 'POST', headers, body: form })
      if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
    },
    async settle() {
      // An index is started half a second after its upload. On a busy machine, low CPU use does not mean that it is finished.
      do await sleep(1000)
      while (/^symup_map_indexes_waiting [^0]/m.test(await (await fetch(`${url}/metrics`)).text()))
      for (let quiet = 0; quiet < 5; ) {
        await sleep(200)
        quiet = (await cost()).cpu < 0.05 ? quiet + 1 : 0
      }
    },
    async explain(stack) {
      const text = await post(`${url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
        service: 'bench',
        version: '1',
        stack,
      })
      return JSON.parse(text).data.frames
    },
    close: () => child.disconnect(),
  }
}
