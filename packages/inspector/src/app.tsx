import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { PAGES } from './pages.ts'
import { addressOf, useRoute } from './route.ts'
import { Gone, OwnError } from './state.tsx'
import { t } from './words.ts'

export function App(): JSX.Element {
  const { place, values, visit } = useRoute()
  const page = PAGES.find((it) => it.place === place)
  const current = page?.within ?? place
  const title = PAGES.find((it) => it.place === current)?.tab ?? 'notFound'
  const tabs = useTabs(current)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(place)
  useEffect(() => {
    document.title = `${t(title)} · symup intake`
    // On phones, the tab bar is wider than the screen, so the current tab may have to be scrolled into view.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    if (shown.current === place) return
    shown.current = place
    // After a page change, screen readers should start at the top of the new page.
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [title, place])
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <header>
        <a class="brand" href={addressOf('stack')}>
          <i aria-hidden="true" /> symup intake
        </a>
        <nav aria-label={t('pages')}>
          {tabs.map(
            ({ place: name, tab }) =>
              tab && (
                <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
                  {t(tab)}
                </a>
              ),
          )}
        </nav>
      </header>
      <Gone />
      <OwnError />
      <main id="main" tabIndex={-1} ref={main}>
        {page ? <page.show key={page.restarts && visit} values={values} /> : <NotFound />}
      </main>
    </>
  )
}

function useTabs(current: string): typeof PAGES {
  const [isUsed, setUsed] = useState(false)
  const { data } = useAnswer('operations', isUsed ? undefined : {}, useLive('request'))
  useEffect(() => {
    if (data?.isUsed) setUsed(true)
  }, [data])
  return PAGES.filter(({ place, ifUsed }) => !ifUsed || isUsed || place === current)
}

function NotFound(): JSX.Element {
  return (
    <>
      <h1>{t('notFound')}</h1>
      <p>{t('noSuchPage')}</p>
    </>
  )
}
