import { expect, it } from 'vitest'
import { translateFlags } from './foreign.ts'

const own = (line: string) => translateFlags(line.split(' ')).join(' ')

it.each([
  [
    'web upload dist --max-concurrency 2 --url-prefix=/a=b',
    'web upload dist --concurrency 2 --minified-path-prefix /a=b',
  ],
  ['web upload dist --url-prefix ~/shop --service s', 'web upload dist --minified-path-prefix /shop --service s'],
  ['web upload dist --url-prefix=~/', 'web upload dist --minified-path-prefix /'],
  ['web upload dist --url-prefix ~', 'web upload dist --minified-path-prefix /'],
  ['web upload dist --url-prefix', 'web upload dist --minified-path-prefix'],
  ['web upload dist --release 1.2.3', 'web upload dist --release-version 1.2.3'],
  ['upload dist --release 1.2.3', 'upload dist --release-version 1.2.3'],
  ['mini-program upload --sourcemap-zip a.zip --appid wx1', 'mini-program upload a.zip --appid wx1'],
  ['react-native upload --bundle=main.jsbundle --sourcemap m', 'react-native upload main.jsbundle --sourcemap m'],
  ['flutter upload --dart-symbols-location d --service-name s', 'flutter upload d --service s'],
  [
    '--no-color --lang zh react-native upload --bundle b --release 1',
    '--no-color --lang zh react-native upload b --release-version 1',
  ],
])('%s', (theirs, ours) => expect(own(theirs)).toBe(ours))

it.each(['explain --release 1', 'web upload dist --bundle x', 'check --max-concurrency 1'])(
  'leaves the command unchanged: %s',
  (line) => {
    expect(own(line)).toBe(line)
  },
)
