/**
 * Requests and responses of the three services as they cross the wire: addresses, entities, batches, filters, XML and errors. Strict mode,
 * the behaviors of the service and the storage in memory read and write by it. It keeps what was sent, judges nothing and calls no other
 * room.
 */
@NullMarked
package io.stowline.testkit.internal.wire;

import org.jspecify.annotations.NullMarked;
