// Owns the end of a child of `npm start` whose parent is gone: it stops as if by SIGTERM. Loaded before the program; knows
// nothing of it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Otherwise the listener would keep a program alive that is done.
process.channel?.unref()
