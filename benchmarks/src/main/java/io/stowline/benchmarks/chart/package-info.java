/** Pictures of figures, for the pages of benchmarks. */
@NullMarked
package io.stowline.benchmarks.chart;

import org.jspecify.annotations.NullMarked;
