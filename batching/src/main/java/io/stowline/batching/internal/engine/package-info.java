/**
 * The batching engine: one lock over lanes, buffers, deadlines and batches in flight. {@code BatchingEngine} is its door, and
 * {@code stowline-client} builds one for each account. It calls the contract of {@code internal.batch}, and the callbacks.
 */
@NullMarked
package io.stowline.batching.internal.engine;

import org.jspecify.annotations.NullMarked;
