// Owns stopping a child of `npm start` when its parent exits for any reason. Loaded with --import before the program.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Otherwise the listener would keep a program alive that is done.
process.channel?.unref()
