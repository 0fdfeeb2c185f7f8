package io.stowline.system.ledger.script;

/** A message of a queue. */
public record Message(String id, String body) {}
