/**
 * The contract between the engine and its sender: an item's descriptor, a batch, its reply and its admission. {@code stowline-client}
 * implements them, and the engine calls them. It calls nothing else.
 */
@NullMarked
package io.stowline.batching.internal.batch;

import org.jspecify.annotations.NullMarked;
