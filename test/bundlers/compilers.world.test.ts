import { rspack } from '@rspack/core'
import symupRspack from '@symup/unplugin/rspack'
import type webpack from 'webpack'
import { useIntake } from '../support/intake.ts'
import { describeCompiler } from './properties/compilers.ts'

describeCompiler({ name: 'rspack', compile: rspack as unknown as typeof webpack, plugin: symupRspack }, useIntake())
