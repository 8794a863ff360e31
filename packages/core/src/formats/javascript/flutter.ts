/** Flutter's loader, service worker and engine, and what dart2wasm writes beside a module. */
const FLUTTERS =
  /(?:^|\/)(?:flutter(?:_bootstrap|_service_worker)?\.js|canvaskit\/(?:\w+\/)?(?:canvaskit|skwasm|wimp)\w*\.js|\w+\.dart\.mjs)$/

/** Whether a script of a web app is Flutter's own. There are no maps of such, though the loader names one. */
export function isFlutters(script: string): boolean {
  return FLUTTERS.test(script)
}
