import { useEffect, useState } from 'preact/hooks'

/** The page's own address: `#/<place>?<values>`, so that a link to it can be shared on this machine. */
export interface Route {
  place: string
  values: URLSearchParams
}

function read(): Route {
  const [place = '', values = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  return { place: place || 'uploads', values: new URLSearchParams(values) }
}

export function addressOf(place: string, values: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value)
  const text = search.toString()
  return `#/${place}${text === '' ? '' : `?${text}`}`
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read)
  useEffect(() => {
    const update = () => setRoute(read())
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return route
}
