import { defineConfig } from 'vitest/config'
import { fromSource } from '../../vitest.config.ts'

export default defineConfig({
  ...fromSource,
  test: { include: ['test/secrets/leaking.fixture.ts'], setupFiles: ['test/support/leak-watch.ts'] },
})
