/** The tiers and the loads of the cache. Not exported. */
@NullMarked
package io.stowline.caching.internal;

import org.jspecify.annotations.NullMarked;
