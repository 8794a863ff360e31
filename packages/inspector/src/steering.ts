/** As `printable` of `@symup/core` has them for a terminal, but for control characters, which do nothing in a page. */
const STEERING =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A text in which what would turn its direction, or stay invisible, is shown as an escape: `\u202e`. */
export function withoutSteering(text: string): string {
  return text.replace(STEERING, (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** The same for a line whose columns count: escapes would move them. */
export function inItsColumns(text: string): string {
  return text.replace(STEERING, (found) => '\ufffd'.repeat(found.length))
}

/** A name that can be seen, and clicked: one of spaces only stands in quotes. */
export function seen(name: string): string {
  return name !== '' && name.trim() === '' ? JSON.stringify(name) : name
}
