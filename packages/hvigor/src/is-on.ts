/** Whether a switch is on, in the hvigorfile (`true`) or on the command line (`-p symup.includeDebug=true`). */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true'
}
