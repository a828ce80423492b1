// Owns the end of a child of `npm start` whose parent is gone, however that ended: the child stops as if told to. Loaded
// before the program; knows nothing of it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// A listener would keep a program alive that is done.
process.channel?.unref()
