module.exports = require('@symup/unplugin/metro')
