/**
 * Many operations, few requests: writers, what a sender of batches implements, and the errors of items. Applications and
 * {@code stowline-client} use it. {@code BatchingEngine} builds the engine in {@code internal}; all else here calls nothing.
 */
@NullMarked
package io.stowline.batching;

import org.jspecify.annotations.NullMarked;
