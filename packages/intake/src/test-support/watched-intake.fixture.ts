import { NO_RATE_LIMITS, startIntake } from '../index.ts'
import { CpuBlocks } from './cpu-blocks.fixture.ts'

// An intake in its own process. It answers each message with the longest turn of its event loop since the last message.
const intake = await startIntake({ rateLimits: NO_RATE_LIMITS })
const blocks = new CpuBlocks()
process.on('message', () => process.send?.(blocks.take()))
process.on('disconnect', () => void intake.close().then(() => process.exit()))
process.send?.(intake.url)
