"use strict";

// Makes Azurite find an entity by its row key. Azurite asks LokiJS for the partition key first, and LokiJS uses an index for the
// first key only: each lookup walks over the whole partition, and an upsert looks twice. What a lookup finds stays the same.
const { Collection } = require(require.resolve("lokijs", { paths: [process.cwd()] }));

// Entities of other partitions with the same row key; beyond this many the partition may be the shorter walk.
const FEW = 16;
const findOne = Collection.prototype.findOne;

const isEntityLookup = (collection, query) =>
  collection.binaryIndices.RowKey !== undefined &&
  query.PartitionKey !== undefined &&
  query.RowKey !== undefined &&
  Object.keys(query).length === 2;

Collection.prototype.findOne = function (query) {
  if (query === undefined || !isEntityLookup(this, query)) {
    return findOne.call(this, query);
  }
  const { PartitionKey, RowKey } = query;
  const [first, last] = this.calculateRange("$eq", "RowKey", RowKey);
  return findOne.call(this, last - first < FEW ? { RowKey, PartitionKey } : query);
};
