import type { JSX } from 'preact'
import { ComparePage } from './compare-page.tsx'
import { ErrorsPage } from './errors-page.tsx'
import { OperationsPage } from './operations-page.tsx'
import { RejectionsPage } from './rejections-page.tsx'
import { ReleasePage } from './release-page.tsx'
import { ReleasesPage } from './releases-page.tsx'
import { RequestsPage } from './requests-page.tsx'
import { StackPage } from './stack-page.tsx'
import { UploadPage } from './upload-page.tsx'
import type { Word } from './words.ts'

interface Page {
  /** Name of the page in the page's URL, as in `#/<place>?<values>`. */
  place: string
  show(props: { values: URLSearchParams }): JSX.Element
  /** Title of the page's tab; undefined if the page is shown in the tab of another page. */
  tab?: Word
  within?: string
  /** Whether the tab is shown only after on-call operations have been used. */
  ifUsed?: true
  /** Whether every visit resets the page, even if the user follows a link from the page to itself. */
  restarts?: true
}

/** The pages are listed in tab order. The first page is the home page. */
export const PAGES: readonly Page[] = [
  { place: 'stack', show: StackPage, tab: 'resolveStack', restarts: true },
  { place: 'releases', show: ReleasesPage, tab: 'releases' },
  { place: 'errors', show: ErrorsPage, tab: 'liveErrors' },
  { place: 'rejections', show: RejectionsPage, tab: 'refused' },
  { place: 'requests', show: RequestsPage, tab: 'requests' },
  { place: 'operations', show: OperationsPage, tab: 'operations', ifUsed: true },
  { place: 'release', show: ReleasePage, within: 'releases' },
  { place: 'compare', show: ComparePage, within: 'releases' },
  { place: 'upload', show: UploadPage, within: 'releases' },
]
