import type { JavaScriptSourceMapEvent } from './event.ts'

/** The event of a script for tests, with nothing in it but what each has. */
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
