/** Stowline and the Azure SDK side by side, in one run against one server: throughput, processor time and allocation. */
@NullMarked
package io.stowline.benchmarks.side;

import org.jspecify.annotations.NullMarked;
