/**
 * The face of a ring's container, whose blobs are placed by their names. The ring makes it. It calls the accounts of the ring and the
 * public types of the client.
 */
@NullMarked
package io.stowline.ring.internal.blob;

import org.jspecify.annotations.NullMarked;
