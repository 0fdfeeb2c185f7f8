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

require(script);
