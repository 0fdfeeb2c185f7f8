/**
 * The way of results to the code of the application: the contract with the runner of callbacks, which {@code stowline-client} implements,
 * streams of results, keys whose code is contained, and the lists of the engine. The engine and {@code stowline-client} use it. It calls the contract of
 * {@code internal.writer}.
 */
@NullMarked
package io.stowline.batching.internal.callback;

import org.jspecify.annotations.NullMarked;
