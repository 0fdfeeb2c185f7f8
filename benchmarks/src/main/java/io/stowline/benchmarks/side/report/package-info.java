/** The results: figures, goals and scenarios, and the tables and charts that show them. The comparison writes them. */
@NullMarked
package io.stowline.benchmarks.side.report;

import org.jspecify.annotations.NullMarked;
