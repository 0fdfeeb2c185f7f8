/**
 * Rules of values that applications give to queues: leases, delays and times to live. The public API of queues and all rooms of queues may call this leaf. It
 * calls no room.
 */
@NullMarked
package io.stowline.queue.internal.rule;

import org.jspecify.annotations.NullMarked;
