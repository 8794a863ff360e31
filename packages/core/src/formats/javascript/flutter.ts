/** Matches Flutter's loader, service worker and engine, and the helper script that dart2wasm writes for a module. */
const FLUTTER_SCRIPTS =
  /(?:^|\/)(?:flutter(?:_bootstrap|_service_worker)?\.js|canvaskit\/(?:\w+\/)?(?:canvaskit|skwasm|wimp)\w*\.js|\w+\.dart\.mjs)$/

/**
 * Tests whether a script in a web app is part of Flutter itself. Flutter ships its scripts without maps, although the loader refers to a
 * map.
 */
export function isFlutterScript(script: string): boolean {
  return FLUTTER_SCRIPTS.test(script)
}
