package io.stowline.queue.internal;

/**
 * A message as its receiver gets it.
 *
 * @param look what anybody sees of it
 * @param lease the receiver's right to it
 */
public record Delivery(Look look, Lease lease) {}
