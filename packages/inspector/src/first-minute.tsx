import type { JSX } from 'preact'
import { Command } from './copy-button.tsx'
import { addressOf } from './route.ts'
import { t } from './words.ts'

const EXAMPLE = '{"type":"js_sourcemap","service":"shop","version":"1.0.0","minified_url":"/app.js"}'

/** What to copy while nothing was uploaded yet. The keys are the shell's: the page has none. */
export function FirstMinute(): JSX.Element {
  const url = location.origin
  const build = `export SYMUP_ENDPOINT=${url}\nexport SYMUP_API_KEY='<${t('uploadKey')}>'\nnpm run build`
  const curl = `curl ${url}/sourcemap/upload -H "DD-API-KEY: $SYMUP_API_KEY" \\\n  -F 'event=${EXAMPLE}' \\\n  -F source_map=@dist/app.js.map -F minified_file=@dist/app.js`
  const explain = `npx symup explain stack.txt --intake ${url} --app-key "$SYMUP_APP_KEY" \\\n  --service shop --release-version 1.0.0`
  return (
    <section class="first-minute">
      <p class="pulse" role="status">
        <i aria-hidden="true" /> {t('waiting')}
      </p>
      <p class="muted">{t('waitingText')}</p>
      <ol>
        <li>
          <h2>{t('stepBuild')}</h2>
          <p class="muted">{t('stepBuildText')}</p>
          <Command text={build} what={t('stepBuild')} />
        </li>
        <li>
          <h2>{t('stepCurl')}</h2>
          <p class="muted">{t('stepCurlText')}</p>
          <Command text={curl} what={t('stepCurl')} />
        </li>
        <li>
          <h2>
            <a href={addressOf('stack')}>{t('stepExplain')}</a>
          </h2>
          <p class="muted">{t('stepExplainText')}</p>
          <Command text={explain} what={t('stepExplain')} />
        </li>
      </ol>
    </section>
  )
}
