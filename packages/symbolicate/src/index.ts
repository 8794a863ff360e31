export * from './artifacts.ts'
export * from './frames.ts'
