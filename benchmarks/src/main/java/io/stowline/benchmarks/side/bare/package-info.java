/** The bare side: requests over plain sockets, the least that a client can do. It does the work without a library. */
@NullMarked
package io.stowline.benchmarks.side.bare;

import org.jspecify.annotations.NullMarked;
