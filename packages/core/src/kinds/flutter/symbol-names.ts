/**
 * As `flutter build --split-debug-info` names its files: `app.android-arm64.symbols`; Flutter for HarmonyOS writes `app.ohos-arm64.symbols`, and that for
 * macOS `app.darwin-x86_64.symbols`. With the platform and the architecture.
 */
export const SYMBOLS = /(?:^|\/)app\.(android|ios|ohos|darwin|linux|windows)-(arm64|arm|x64|x86_64)\.symbols$/
