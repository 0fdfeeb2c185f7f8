/**
 * The protocol by which partitions move between the accounts of a ring: place rows, fences, phases, and the mover. The ring, its tables and
 * its move call it. It calls the accounts' tables and the room of places.
 */
@NullMarked
package io.stowline.ring.internal.move;

import org.jspecify.annotations.NullMarked;
