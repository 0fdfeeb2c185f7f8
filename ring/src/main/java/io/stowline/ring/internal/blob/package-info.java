/**
 * Containers over all accounts of a ring, and the protocol by which their blobs move. The ring calls it. It calls the room of placements, the
 * phases of the room of moves, and the containers of the client.
 */
@NullMarked
package io.stowline.ring.internal.blob;

import org.jspecify.annotations.NullMarked;
