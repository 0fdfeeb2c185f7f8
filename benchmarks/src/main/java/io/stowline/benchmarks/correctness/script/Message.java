package io.stowline.benchmarks.correctness.script;

/** A message of a queue. */
public record Message(String id, String body) {}
