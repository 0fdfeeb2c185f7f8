/**
 * The disk tier: one file for each entry, in a folder that belongs to one cache at a time. The engine uses it. It calls entry.
 */
@NullMarked
package io.stowline.caching.internal.disk;

import org.jspecify.annotations.NullMarked;
