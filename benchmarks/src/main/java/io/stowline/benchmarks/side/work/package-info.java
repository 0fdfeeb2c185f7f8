/** The work that is measured, and what carries it out in rounds: accounts, orders, tasks, pumps and latencies. Each side does it. */
@NullMarked
package io.stowline.benchmarks.side.work;

import org.jspecify.annotations.NullMarked;
