"use strict";

// Keeps out what Azurite loads at each start and has no use for here: the client of Application Insights, since telemetry is off, and the
// SQL mapper, since blobs are in memory. They cost two fifths of the processor time of a start. A use of one would be a TypeError.
const Module = require("module");

const unused = { applicationinsights: {}, sequelize: { Model: class {} } };

for (const [name, exports] of Object.entries(unused)) {
  const file = require.resolve(name, { paths: [process.cwd()] });
  require.cache[file] = Object.assign(new Module(file), { exports, loaded: true });
}
