import { options, type VNode } from 'preact'

/** `printable` in `@symup/core` replaces the same characters, but also control characters, which have no effect on a page. */
const STEERING =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Direction-changing and invisible characters become escapes such as `\u202e`. */
export function withoutSteering(text: string): string {
  return text.replace(STEERING, (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Escapes would shift columns, so replacement characters are used instead. */
export function inItsColumns(text: string): string {
  return text.replace(STEERING, (found) => '\ufffd'.repeat(found.length))
}

/** A name that contains only spaces is quoted, so that it is visible and can be clicked. */
export function seen(name: string): string {
  return name !== '' && name.trim() === '' ? JSON.stringify(name) : name
}

/** Displayed texts never contain direction-changing characters. Copy buttons copy the original text. */
export function showSteering(): void {
  options.vnode = (vnode) => {
    const { type, props } = vnode as VNode<{ title?: unknown }> | { type: null; props: unknown }
    // preact stores the text of text nodes in `props`.
    if (type === null && typeof props === 'string') Object.assign(vnode, { props: withoutSteering(props) })
    else if (typeof type === 'string' && typeof props.title === 'string') props.title = withoutSteering(props.title)
  }
}
