/** What the batching engine alone costs. */
@NullMarked
package io.stowline.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
