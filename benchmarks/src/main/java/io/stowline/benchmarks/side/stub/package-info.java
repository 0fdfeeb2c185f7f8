/**
 * The server of the comparison: it responds from memory, in a process apart from the clients. Both sides send to it.
 */
@NullMarked
package io.stowline.benchmarks.side.stub;

import org.jspecify.annotations.NullMarked;
