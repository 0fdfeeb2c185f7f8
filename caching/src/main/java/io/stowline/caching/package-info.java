/**
 * A cache of responses: a freshness window, conditional GET after it, one request for many readers, and tiers in memory and on disk. It
 * knows nothing of tables and blobs.
 */
@NullMarked
package io.stowline.caching;

import org.jspecify.annotations.NullMarked;
