/** Outcomes of writes: whether the service executed a write, and the evidence for that. */
@NullMarked
package io.stowline.outcome;

import org.jspecify.annotations.NullMarked;
