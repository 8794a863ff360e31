const FRAME = /#\d{1,4}\s+pc\s+(?:0x[0-9a-f]{1,16}|[0-9a-f]{4,16})\s/i
/** What only Android's runtime writes beside a frame. */
const ANDROID = /BuildId: |\/data\/app\//

/** Whether a line is a frame of native code, as tombstones have it; with `android`, one that Android wrote. */
export function isNativeLine(line: string, system?: 'android'): boolean {
  return FRAME.test(line) && (system === undefined || ANDROID.test(line))
}
