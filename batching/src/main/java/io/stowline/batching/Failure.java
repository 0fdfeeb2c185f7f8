package io.stowline.batching;

/** A terminal outcome that is an error; any other outcome is the result itself. */
record Failure(Throwable error) {}
