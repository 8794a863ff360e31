import { options, type VNode } from 'preact'
import { withoutSteering } from './steering.ts'

/** Shows every text of the page, wherever it comes from, without what would turn its direction. A button copies it as it is. */
export function showSteering(): void {
  options.vnode = (vnode) => {
    const { type, props } = vnode as VNode<{ title?: unknown }> | { type: null; props: unknown }
    // Of preact's own nodes for text, the text stands in the place of properties.
    if (type === null && typeof props === 'string') Object.assign(vnode, { props: withoutSteering(props) })
    else if (typeof type === 'string' && typeof props.title === 'string') props.title = withoutSteering(props.title)
  }
}
