package io.stowline.batching;

/** An item with what its descriptor says of it. */
record Described<I>(I item, Named entity, int size, boolean conditional) {}
