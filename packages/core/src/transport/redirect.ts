/** Where an answer redirects to, for people: without a user name and password that stand in it, and at most 200 characters of it. */
export function shownRedirect(location: string): string {
  return location.replace(/(?<=\/\/)[^/?#]*@/, '').slice(0, 200)
}
