/**
 * The accounts of placements, and the way of operations to the partitions of a table. The ring and its holders call it. It calls the
 * public types of the client and of the ring only.
 */
@NullMarked
package io.stowline.ring.internal.place;

import org.jspecify.annotations.NullMarked;
