/**
 * The unresolved attempts of a write, steps that leave its target as it was, and the results of its read-backs. The pipeline and the write
 * rooms of the services use it. It calls concurrent and request.
 */
@NullMarked
package io.stowline.transport.internal.outcome;

import org.jspecify.annotations.NullMarked;
