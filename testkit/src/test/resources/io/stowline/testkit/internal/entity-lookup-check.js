"use strict";

// Started without the script under test, which is its first argument: compares what LokiJS finds without it and with it.
const assert = require("node:assert");
const Loki = require(require.resolve("lokijs", { paths: [process.cwd()] }));

const options = { indices: ["PartitionKey", "RowKey"] };
const keys = ["", " ", "0", "00", "1", "1.0", "01", "1e0", "10", "9", "9a", "0x1", "a", "A", "ä", "NaN", "Infinity", "true"];
const crowded = Array.from({ length: 40 }, (_, i) => "p" + i);

const mixed = new Loki("mixed").addCollection("mixed", options);
for (const PartitionKey of keys) {
  for (const RowKey of keys.slice(0, -2)) {
    mixed.insert({ PartitionKey, RowKey });
  }
}
for (const PartitionKey of crowded) {
  mixed.insert({ PartitionKey, RowKey: "same" });
}
mixed.findAndRemove({ PartitionKey: "9", RowKey: "1" });

const queries = [{ RowKey: "same" }, { PartitionKey: "9" }, { PartitionKey: "p1", RowKey: "same", other: 1 }, undefined];
for (const PartitionKey of [...keys, ...crowded, "none"]) {
  for (const RowKey of [...keys, "same", "none"]) {
    queries.push({ PartitionKey, RowKey });
  }
}
const plain = queries.map((query) => mixed.findOne(query));

let reads = 0;
const large = new Loki("large").addCollection("large", options);
for (let i = 0; i < 5000; i++) {
  const key = "row " + i;
  large.insert(Object.defineProperty({ PartitionKey: "p" }, "RowKey", { enumerable: true, get: () => (reads++, key) }));
}
const readsOf = (query) => ((reads = 0), large.findOne(query), reads);
const absent = { PartitionKey: "p", RowKey: "none" };
const readsBefore = readsOf(absent);

require(process.argv[2]);

queries.forEach((query, i) => assert.strictEqual(mixed.findOne(query), plain[i], JSON.stringify(query)));
assert.ok(plain.filter((found) => found !== null).length > 300, "most are found");
assert.ok(readsBefore >= 5000, "the whole partition is read: " + readsBefore);
assert.ok(readsOf(absent) < 200, "few are read: " + readsOf(absent));
assert.strictEqual(new Loki("no index").addCollection("plain").findOne(absent), null);
