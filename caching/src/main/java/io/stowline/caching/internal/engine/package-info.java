/**
 * The cache engine: decides of each read whether stored entries, a load, or both answer it. The public cache uses it. It calls entry and
 * disk.
 */
@NullMarked
package io.stowline.caching.internal.engine;

import org.jspecify.annotations.NullMarked;
