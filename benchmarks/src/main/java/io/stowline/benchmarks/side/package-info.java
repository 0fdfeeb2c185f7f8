/** Stowline and the Azure SDK side by side, a fresh process and server for each workload: throughput, processor time and allocation. */
@NullMarked
package io.stowline.benchmarks.side;

import org.jspecify.annotations.NullMarked;
