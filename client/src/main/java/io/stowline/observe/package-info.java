/** Observability of a client: its operations and its state, for metrics, traces and logs. */
@NullMarked
package io.stowline.observe;

import org.jspecify.annotations.NullMarked;
