import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { OwnError } from './own-error.tsx'
import { RejectionsPage } from './rejections-page.tsx'
import { RequestsPage } from './requests-page.tsx'
import { addressOf, useRoute } from './route.ts'
import { StackPage } from './stack-page.tsx'
import { UploadPage } from './upload-page.tsx'
import { UploadsPage } from './uploads-page.tsx'

const PAGES: readonly [place: string, title: string][] = [
  ['uploads', 'Uploads'],
  ['stack', 'Resolve a stack'],
  ['rejections', 'Refused'],
  ['requests', 'Requests'],
]

export function App(): JSX.Element {
  const { place, values } = useRoute()
  const current = place === 'upload' ? 'uploads' : place
  const title = PAGES.find(([name]) => name === current)?.[1] ?? 'Not found'
  useEffect(() => {
    document.title = `${title} · symup intake`
  }, [title])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <strong class="brand">symup intake</strong>
        <nav aria-label="Pages">
          {PAGES.map(([name, text]) => (
            <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <OwnError />
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        <Page place={place} values={values} />
      </main>
    </>
  )
}

function Page({ place, values }: { place: string; values: URLSearchParams }): JSX.Element {
  switch (place) {
    case 'uploads':
      return <UploadsPage values={values} />
    case 'upload':
      return <UploadPage id={values.get('id') ?? ''} values={values} />
    case 'stack':
      return <StackPage values={values} />
    case 'rejections':
      return <RejectionsPage />
    case 'requests':
      return <RequestsPage />
    default:
      return <p>There is no such page.</p>
  }
}

type Theme = 'system' | 'light' | 'dark'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>((localStorage.getItem('theme') as Theme) ?? 'system')
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  return (
    <label class="theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
