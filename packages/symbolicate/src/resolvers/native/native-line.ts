const FRAME = /#\d{1,4}\s+pc\s+(?:0x[0-9a-f]{1,16}|[0-9a-f]{4,16})\s/i
/** Matches text that occurs only in frames from Android, such as libraries that do not exist in HarmonyOS. */
const ANDROID =
  /BuildId: |\/data\/app\/(?!el\d)|\/apex\/com\.|\/system\/framework\/|\/dev\/ashmem\/|\/lib(?:64)?\/lib(?:art|dvm|android_runtime|utils|binder|hwui|gui|c)\.so\b|\/bin\/(?:app_process|linker)(?:32|64)?\b|\.(?:oat|odex|vdex)\b/
/**
 * Matches frames from Unity. Unity reports crashes as Java errors, so Crashlytics receives only frames such as
 * `at libil2cpp.0x18bbf78(Native Method)` or `at libunity.0x184d20 (Animation::Play() at ??:?)(Native Method)`.
 */
const UNITY = /(?:^|\s)at (lib[\w+-]{1,200})\.0x([0-9a-f]{1,16})(?= ?\()/i

/**
 * Returns whether a line is a native frame in the format of a tombstone.
 * @param system if `android`, the frame must be from Android.
 */
export function isNativeLine(line: string, system?: 'android'): boolean {
  return isUnityLine(line) || (FRAME.test(line) && (system === undefined || ANDROID.test(line)))
}

export function isUnityLine(line: string): boolean {
  return unityFrame(line) !== undefined
}

export function unityFrame(line: string): { library: string; pc: string } | undefined {
  const match = line.includes('.0x') ? UNITY.exec(line) : null
  if (!match) return undefined
  const [start, name, pc] = match as unknown as [string, string, string]
  const rest = line.slice(match.index + start.length).trimEnd()
  const isWhole = rest === '(Native Method)' || (rest.startsWith(' (') && rest.endsWith(')(Native Method)'))
  return isWhole ? { library: `${name}.so`, pc } : undefined
}
