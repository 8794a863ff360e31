import { options, type VNode } from 'preact'

/** Same characters as `printable` in `@symup/core`, except control characters, which have no effect on a web page. */
const STEERING =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Replaces direction-changing and invisible characters with escapes such as `\u202e`. */
export function withoutSteering(text: string): string {
  return text.replace(STEERING, (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Replaces each character separately, because escapes would shift columns. */
export function inItsColumns(text: string): string {
  return text.replace(STEERING, (found) => '\ufffd'.repeat(found.length))
}

/** Quotes a name that contains only spaces, so that it is visible and can be clicked. */
export function seen(name: string): string {
  return name !== '' && name.trim() === '' ? JSON.stringify(name) : name
}

/** Escapes direction-changing characters in everything that the page displays. Copy buttons still copy the original text. */
export function showSteering(): void {
  options.vnode = (vnode) => {
    const { type, props } = vnode as VNode<{ title?: unknown }> | { type: null; props: unknown }
    // Preact stores the text of text nodes in `props`.
    if (type === null && typeof props === 'string') Object.assign(vnode, { props: withoutSteering(props) })
    else if (typeof type === 'string' && typeof props.title === 'string') props.title = withoutSteering(props.title)
  }
}
