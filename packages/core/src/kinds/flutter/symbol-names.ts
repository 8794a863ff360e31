/**
 * File names of `flutter build --split-debug-info`, with platform and architecture: `app.android-arm64.symbols`, `app.ohos-arm64.symbols`
 * for HarmonyOS, and `app.darwin-x86_64.symbols` for macOS.
 */
export const SYMBOLS = /(?:^|\/)app\.(android|ios|ohos|darwin|linux|windows)-(arm64|arm|x64|x86_64)\.symbols$/
