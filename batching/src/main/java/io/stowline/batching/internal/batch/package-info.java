/**
 * The contract between the engine and its sender: a writer, an item's descriptor, a batch, its reply and its admission.
 * {@code stowline-client} implements the sender, and the engine calls it. It calls the settings and errors of
 * {@code io.stowline.batching} only.
 */
@NullMarked
package io.stowline.batching.internal.batch;

import org.jspecify.annotations.NullMarked;
