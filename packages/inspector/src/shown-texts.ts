import { options, type VNode } from 'preact'
import { withoutSteering } from './steering.ts'

/** Removes direction-changing characters from every displayed text. Copy buttons copy the original. */
export function showSteering(): void {
  options.vnode = (vnode) => {
    const { type, props } = vnode as VNode<{ title?: unknown }> | { type: null; props: unknown }
    // preact's text nodes store the text as their properties.
    if (type === null && typeof props === 'string') Object.assign(vnode, { props: withoutSteering(props) })
    else if (typeof type === 'string' && typeof props.title === 'string') props.title = withoutSteering(props.title)
  }
}
