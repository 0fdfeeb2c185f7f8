"use strict";

// Runs the script named by the first argument with the arguments after it, and ends when standard input ends.
// A pipe ends with the process that holds its other end, however that process died, so no server outlives its parent.
const [node, , script, ...flags] = process.argv;
process.argv = [node, script, ...flags];

const end = () => process.exit(0);
process.stdin.on("end", end);
process.stdin.on("error", end);
process.stdin.resume();
// Without this the open pipe would keep the process alive after the server has closed.
process.stdin.unref();

// Ctrl-C in a terminal goes to all its processes. The parent may still need the server to end its own work in order,
// so the server ignores it, also when its script says otherwise later.
process.on("SIGINT", () => {});
process.on("newListener", (event, listener) => {
  if (event === "SIGINT") {
    process.nextTick(() => process.removeListener(event, listener));
  }
});

require(script);
