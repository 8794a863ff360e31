/** `MODULE <system> <architecture> <id> <name>`; the groups are the last three. Source: Breakpad's symbol file format. */
export const BREAKPAD_MODULE = /^MODULE \S+ (\S+) ([0-9A-F]{33,40}) (\S.*)/i
