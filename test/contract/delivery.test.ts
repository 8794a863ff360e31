import { describeVerdicts, itUploads, useProject } from './deliveries.ts'

useProject()
describeVerdicts('fast')
itUploads()
