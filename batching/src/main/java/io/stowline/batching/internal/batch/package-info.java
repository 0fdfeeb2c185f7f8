/**
 * The contract between the engine and its client: a writer with its settings and errors, an item's descriptor, a batch, its reply and its
 * admission. {@code stowline-client} implements the sender, the settings and the factory of errors, and the engine calls them. It calls nothing
 * else.
 */
@NullMarked
package io.stowline.batching.internal.batch;

import org.jspecify.annotations.NullMarked;
