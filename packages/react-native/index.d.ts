import withSymup = require('@symup/unplugin/metro')

export = withSymup
