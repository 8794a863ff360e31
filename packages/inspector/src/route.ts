import { useLayoutEffect, useState } from 'preact/hooks'

/** The page's own address, `#/<place>?<values>`, which can be shared as a link on this machine. */
export interface Route {
  place: string
  values: URLSearchParams
  /** Changes with each visit, but not with another state of the same page. */
  visit: number
}

type Values = Record<string, string | undefined>

const REPLACED = 'symup-replaced'

let visit = 0

function read(): Route {
  const [place = '', values = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  return { place: place || 'stack', values: new URLSearchParams(values), visit }
}

/** An omitted value is undefined; '' is a valid value. */
export function addressOf(place: string, values: Values = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, value)
  const text = search.toString()
  return `#/${place}${text === '' ? '' : `?${text}`}`
}

/** Changes the state of the current page in the address, without a history entry. */
export function replaceAddress(place: string, values: Values): void {
  history.replaceState(null, '', addressOf(place, values))
  dispatchEvent(new Event(REPLACED))
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read)
  // A layout effect, so that no address change is missed.
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
