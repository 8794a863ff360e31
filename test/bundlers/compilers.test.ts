import symupWebpack from '@symup/unplugin/webpack'
import webpack from 'webpack'
import { useIntake } from '../support/intake.ts'
import { describeCompiler } from './properties/compilers.ts'

describeCompiler({ name: 'webpack', compile: webpack, plugin: symupWebpack }, useIntake())
