/**
 * Events that wait for the thread that adds evidence, in preallocated places. The evidence store adds and takes them. The room calls the
 * public types of the client only.
 */
@NullMarked
package io.stowline.advisor.internal.pending;

import org.jspecify.annotations.NullMarked;
