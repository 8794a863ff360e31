import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ComparePage } from './compare-page.tsx'
import { ErrorsPage } from './errors-page.tsx'
import { OperationsPage } from './operations-page.tsx'
import { OwnError } from './own-error.tsx'
import { RejectionsPage } from './rejections-page.tsx'
import { ReleasePage } from './release-page.tsx'
import { ReleasesPage } from './releases-page.tsx'
import { RequestsPage } from './requests-page.tsx'
import { addressOf, useRoute } from './route.ts'
import { StackPage } from './stack-page.tsx'
import { Gone } from './state.tsx'
import { UploadPage } from './upload-page.tsx'
import { t, type Word } from './words.ts'

const TABS: readonly [place: string, title: Word][] = [
  ['releases', 'releases'],
  ['stack', 'resolveStack'],
  ['errors', 'liveErrors'],
  ['rejections', 'refused'],
  ['requests', 'requests'],
  ['operations', 'operations'],
]
/** Pages below the first tab. */
const WITHIN_RELEASES = new Set(['release', 'compare', 'upload'])

export function App(): JSX.Element {
  const { place, values } = useRoute()
  const current = WITHIN_RELEASES.has(place) ? 'releases' : place
  const title = TABS.find(([name]) => name === current)?.[1] ?? 'notFound'
  const main = useRef<HTMLElement>(null)
  const shown = useRef(place)
  useEffect(() => {
    document.title = `${t(title)} · symup intake`
    // On a phone the tabs are wider than the screen.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    if (shown.current === place) return
    shown.current = place
    // Another page: who listens to it starts at its top.
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [title, place])
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <header>
        <a class="brand" href={addressOf('releases')}>
          <i aria-hidden="true" /> symup intake
        </a>
        <nav aria-label={t('pages')}>
          {TABS.map(([name, text]) => (
            <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
              {t(text)}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <Gone />
      <OwnError />
      <main id="main" tabIndex={-1} ref={main}>
        <Page place={place} values={values} />
      </main>
    </>
  )
}

function Page({ place, values }: { place: string; values: URLSearchParams }): JSX.Element {
  switch (place) {
    case 'releases':
      return <ReleasesPage values={values} />
    case 'release':
      return <ReleasePage values={values} />
    case 'compare':
      return <ComparePage values={values} />
    case 'upload':
      return <UploadPage key={values.get('id')} id={values.get('id') ?? ''} values={values} />
    case 'stack':
      return <StackPage values={values} />
    case 'errors':
      return <ErrorsPage />
    case 'rejections':
      return <RejectionsPage values={values} />
    case 'requests':
      return <RequestsPage />
    case 'operations':
      return <OperationsPage />
    default:
      return (
        <>
          <h1>{t('notFound')}</h1>
          <p>{t('noSuchPage')}</p>
        </>
      )
  }
}

type Theme = 'system' | 'light' | 'dark'
const THEMES: readonly [Theme, Word][] = [
  ['system', 'themeSystem'],
  ['light', 'themeLight'],
  ['dark', 'themeDark'],
]

function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>((localStorage.getItem('theme') as Theme) ?? 'system')
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  return (
    <label class="theme">
      <span class="hidden">{t('theme')}</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map(([name, text]) => (
          <option key={name} value={name}>
            {t(text)}
          </option>
        ))}
      </select>
    </label>
  )
}
