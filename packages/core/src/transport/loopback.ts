/** Whether a host is this very machine. @param host a name or an address as a URL, a socket or a user has it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(host)
}
