/**
 * What is unknown of a write after its attempts, and what reading back shows. The pipeline and the write rooms of the services use it. It
 * calls concurrent and request.
 */
@NullMarked
package io.stowline.transport.internal.outcome;

import org.jspecify.annotations.NullMarked;
