/**
 * The vocabulary of a writer that turns many operations into few requests: its settings, an accepted item, a flush's report,
 * and the errors of items and of the writer itself. The writers of {@code stowline-client} hand these types to applications.
 * The engine behind them is internal: {@code stowline-client} alone builds it.
 */
@NullMarked
package io.stowline.batching;

import org.jspecify.annotations.NullMarked;
