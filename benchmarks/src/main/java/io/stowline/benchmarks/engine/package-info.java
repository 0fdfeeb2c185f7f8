/** The cost of the batching engine alone. */
@NullMarked
package io.stowline.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
