// Taro resolves plugins as files, not through `exports`.
export { default, default as 'module.exports' } from '@symup/mini-program/taro'
