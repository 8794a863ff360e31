/** A redirect's target as display text: without user name and password, and at most 200 characters. */
export function shownRedirect(location: string): string {
  return location.replace(/(?<=\/\/)[^/?#]*@/, '').slice(0, 200)
}
