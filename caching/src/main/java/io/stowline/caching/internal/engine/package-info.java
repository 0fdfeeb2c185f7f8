/**
 * The cache engine, which serves each read from stored entries, by a load, or by both. The public cache uses it. It
 * calls entry and disk.
 */
@NullMarked
package io.stowline.caching.internal.engine;

import org.jspecify.annotations.NullMarked;
