import type { JSX } from 'preact'
import { useKeys } from './api.ts'
import { explainCommand } from './causes.ts'
import { Command } from './copy-button.tsx'
import { t, type Word } from './words.ts'

const EXAMPLE = '{"type":"js_sourcemap","service":"shop",\n    "version":"1.0.0","minified_url":"/app.js"}'

export function FirstMinute(): JSX.Element {
  const url = location.origin
  const keys = useKeys()
  const build = `export SYMUP_ENDPOINT=${url}\nexport SYMUP_API_KEY=${keys.api.startsWith('$') ? '…' : keys.api}\nnpm run build`
  const curl = `curl ${url}/sourcemap/upload -H "DD-API-KEY: ${keys.api}" \\\n  -F 'event=${EXAMPLE}' \\\n  -F source_map=@dist/app.js.map -F minified_file=@dist/app.js`
  const explain = explainCommand(keys, { service: 'shop', version: '1.0.0' })
  return (
    <section class="first-minute">
      <p class="pulse" role="status">
        <i aria-hidden="true" /> {t('waiting')}
      </p>
      <p class="muted">{t('waitingText')}</p>
      <Steps
        steps={[
          ['stepBuild', 'stepBuildText', build],
          ['stepCurl', 'stepCurlText', curl],
          ['stepExplain', 'stepExplainText', explain],
        ]}
      />
    </section>
  )
}

type Step = readonly [title: Word, text: Word, command: string]

export function Steps({ steps }: { steps: readonly Step[] }): JSX.Element {
  return (
    <ol>
      {steps.map(([title, text, command]) => (
        <li key={title}>
          <h2>{t(title)}</h2>
          <p class="muted">{t(text)}</p>
          <Command text={command} what={t(title)} />
        </li>
      ))}
    </ol>
  )
}
