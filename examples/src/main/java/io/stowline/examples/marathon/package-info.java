/** Marathons and their runners: keys, index rows, queries with what they cost, and a series. */
@NullMarked
package io.stowline.examples.marathon;

import org.jspecify.annotations.NullMarked;
