#!/bin/sh
# Uploads the bundle and its source map. The last line of the build phase "Bundle React Native code and images" runs this script.
# Xcode's environment contains the paths of the bundle and its map. The first line of the build phase sets SOURCEMAP_FILE. Without this
# variable, React Native does not write a map.
set -e
for file in "$PROJECT_DIR/.xcode.env" "$PROJECT_DIR/.xcode.env.local"; do
  if [ -f "$file" ]; then . "$file"; fi
done
exec "${NODE_BINARY:-node}" "$(dirname "$0")/upload.js" --xcode
