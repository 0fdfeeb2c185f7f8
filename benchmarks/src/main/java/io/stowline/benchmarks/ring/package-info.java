/** A ring of accounts against servers with a target: how much more two accounts take than one, and what the ring costs for each operation. */
@NullMarked
package io.stowline.benchmarks.ring;

import org.jspecify.annotations.NullMarked;
