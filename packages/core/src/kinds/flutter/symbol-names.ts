/**
 * Matches the files that `flutter build --split-debug-info` writes. The file names contain the platform and the architecture:
 * `app.android-arm64.symbols`, `app.ohos-arm64.symbols` for HarmonyOS, or `app.darwin-x86_64.symbols` for macOS.
 */
export const SYMBOLS = /(?:^|\/)app\.(android|ios|ohos|darwin|linux|windows)-(arm64|arm|x64|x86_64)\.symbols$/
