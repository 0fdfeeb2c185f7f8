/**
 * The face of a ring's queue, and the consumers of the queues of all accounts as one. The ring makes them. They call the accounts of the
 * ring and the public types of the client.
 */
@NullMarked
package io.stowline.ring.internal.queue;

import org.jspecify.annotations.NullMarked;
