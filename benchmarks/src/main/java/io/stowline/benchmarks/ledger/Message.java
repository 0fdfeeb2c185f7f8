package io.stowline.benchmarks.ledger;

/** A message of a queue. */
record Message(String id, String body) {}
