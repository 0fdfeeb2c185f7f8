/**
 * The contract of a writer with its client: the writer, its settings and errors, its items and their results. {@code stowline-client}
 * implements the settings and the factory of errors, and calls the writer. It calls nothing else.
 */
@NullMarked
package io.stowline.batching.internal.writer;

import org.jspecify.annotations.NullMarked;
