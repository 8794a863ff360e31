import type { JavaScriptSourceMapEvent } from './event.ts'

/** A minimal script event for tests. */
export function scriptEvent(address: string, service = 's'): JavaScriptSourceMapEvent {
  return {
    type: 'js_sourcemap',
    cli_version: '0',
    service,
    version: '1',
    minified_url: address,
    project_path: '',
  }
}
