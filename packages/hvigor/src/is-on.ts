/**
 * Returns whether a switch is on. Switches are booleans in the hvigorfile but strings on the command line (`-p symup.includeDebug=true`).
 */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true'
}
