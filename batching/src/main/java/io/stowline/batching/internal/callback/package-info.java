/**
 * The way of results to the code of the application: callbacks, streams of results, and actions after the engine's lock. The engine and
 * {@code stowline-client} use it. It calls the contract of {@code internal.batch}.
 */
@NullMarked
package io.stowline.batching.internal.callback;

import org.jspecify.annotations.NullMarked;
