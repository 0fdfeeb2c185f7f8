/**
 * The contract between the cache and its loaders: keys, loaders, the results of loads. All rooms of the cache use it, and the client
 * implements loaders. It calls no other room.
 */
@NullMarked
package io.stowline.caching.internal.load;

import org.jspecify.annotations.NullMarked;
