import { useLayoutEffect, useState } from 'preact/hooks'

/** The page's own URL is `#/<place>?<values>`. On the same machine, it can be shared as a link. */
export interface Route {
  place: string
  values: URLSearchParams
  /** Changes with each visit, but not if only the state of the same page changes. */
  visit: number
}

type Values = Record<string, string | undefined>

const REPLACED = 'symup-replaced'

let visit = 0

function read(): Route {
  const [place = '', values = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  return { place: place || 'stack', values: new URLSearchParams(values), visit }
}

/** Undefined values are omitted, but an empty string is a valid value. */
export function addressOf(place: string, values: Values = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, value)
  const text = search.toString()
  return `#/${place}${text === '' ? '' : `?${text}`}`
}

/** The browser's history gets no new entry. */
export function replaceAddress(place: string, values: Values): void {
  history.replaceState(null, '', addressOf(place, values))
  dispatchEvent(new Event(REPLACED))
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read)
  // A layout effect runs early enough to see every address change.
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
