import type { Fields } from './operation.ts'

/** Descriptions of the fields that lists of every room have. */
export const LIST_FIELDS: Fields = {
  asc: ['True sorts ascending.'],
  items: ['What was found.', { alert_id: '69da451ef77b1b51f40e83f0' }],
  limit: ['How many a page has.', 20],
  orderby: ['What it is sorted by.'],
  p: ['Number of the page, from 1.', 1],
  query: ['Words to find.', 'alerts'],
  total: ['How many there are on all pages.', 1],
}
