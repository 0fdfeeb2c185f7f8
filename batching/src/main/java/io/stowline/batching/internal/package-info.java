/**
 * The batching engine: one lock over lanes, buffers, deadlines and batches in flight. Only {@code BatchingEngine} builds it. It calls the
 * interfaces and values of {@code io.stowline.batching}, and the callbacks.
 */
@NullMarked
package io.stowline.batching.internal;

import org.jspecify.annotations.NullMarked;
