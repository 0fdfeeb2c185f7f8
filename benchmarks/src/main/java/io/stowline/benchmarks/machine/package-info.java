/** The machine that benchmarks run on: its cores, and whether other processes use them. All other packages call it; it calls none of them. */
@NullMarked
package io.stowline.benchmarks.machine;

import org.jspecify.annotations.NullMarked;
