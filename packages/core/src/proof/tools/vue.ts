import { t } from '../../text.ts'
import type { Tool } from './tool.ts'

const COMPONENT = /\.vue(?:$|\?)/

export const vue: Tool = { name: 'Vue', component: COMPONENT, markedUp: COMPONENT }

export function hasTemplate(name: string): boolean {
  return COMPONENT.test(name)
}

/** Returns the event for a listener key, such as `click` (`@click` in the template) for `onClick`, or undefined for other keys. */
export function listenerOf(key: string): string | undefined {
  return /^on[A-Z]/.test(key) ? key.charAt(2).toLowerCase() + key.slice(3) : undefined
}

/**
 * Returns the fix for unmapped templates. Vue versions before 3.5.14 do not map templates that are compiled into `<script setup>`. Stacks
 * from these templates resolve to the end of the script.
 */
export function templateFix(): string {
  return t`Update Vue to 3.5.14 or later. Older compilers do not generate a source map for the template of a <script setup> component.`
}

export function templateLinesMessage(positions: number, components: string): string {
  return positions === 1
    ? t`Vue maps multi-line template expressions to their first line, so 1 position in ${components} resolves to an earlier line.`
    : t`Vue maps multi-line template expressions to their first line, so ${positions} positions in ${components} resolve to an earlier line.`
}
