// Taro resolves plugins as files and ignores `exports`.
export { default, default as 'module.exports' } from '@symup/mini-program/taro'
