package io.stowline.benchmarks.correctness;

/** A message of a queue. */
record Message(String id, String body) {}
