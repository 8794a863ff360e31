import { useLayoutEffect, useState } from 'preact/hooks'

/** Pages have URLs of the form `#/<place>?<values>`, so users on the same machine can share links. */
export interface Route {
  place: string
  values: URLSearchParams
  /** Increases with each visit to a page. Changes to the page's state are not visits. */
  visit: number
}

type Values = Record<string, string | undefined>

const REPLACED = 'symup-replaced'

let visit = 0

function read(): Route {
  const [place = '', values = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  return { place: place || 'stack', values: new URLSearchParams(values), visit }
}

/** Omits undefined values but keeps empty strings. */
export function addressOf(place: string, values: Values = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, value)
  const text = search.toString()
  return `#/${place}${text === '' ? '' : `?${text}`}`
}

export function replaceAddress(place: string, values: Values): void {
  history.replaceState(null, '', addressOf(place, values))
  dispatchEvent(new Event(REPLACED))
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read)
  // Use a layout effect, because a normal effect would run too late and miss early changes of the URL.
  useLayoutEffect(() => {
    const update = () => setRoute(read())
    const visitNext = () => {
      visit++
      update()
    }
    addEventListener('hashchange', visitNext)
    addEventListener(REPLACED, update)
    return () => {
      removeEventListener('hashchange', visitNext)
      removeEventListener(REPLACED, update)
    }
  }, [])
  return route
}
