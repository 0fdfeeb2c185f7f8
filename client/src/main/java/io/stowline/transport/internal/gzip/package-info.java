/**
 * The expansion of gzip, strict about its members and its end. Rooms of the services that read compressed content use it. It calls no other
 * room.
 */
@NullMarked
package io.stowline.transport.internal.gzip;

import org.jspecify.annotations.NullMarked;
