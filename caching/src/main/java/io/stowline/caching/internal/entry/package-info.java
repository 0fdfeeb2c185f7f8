/**
 * Entries of the cache: their heads and bodies, memory, clocks, and what writes have invalidated. The disk and engine rooms use it. It
 * calls no other room.
 */
@NullMarked
package io.stowline.caching.internal.entry;

import org.jspecify.annotations.NullMarked;
