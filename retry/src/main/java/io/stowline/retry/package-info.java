/** When to try again: back-off, deadline, gate, and the engine over a classifier. */
@NullMarked
package io.stowline.retry;

import org.jspecify.annotations.NullMarked;
