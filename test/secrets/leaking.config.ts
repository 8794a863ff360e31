import { defineConfig } from 'vitest/config'
import config from '../../vitest.config.ts'

export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/secrets/leaking.fixture.ts'], reporters: ['default'] },
})
