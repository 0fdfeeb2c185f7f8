/**
 * The names of blobs and the intervals of time, all of UTC. The engine, the blobs and the reader call it. It calls chunks for their
 * names.
 */
@NullMarked
package io.stowline.records.internal.name;

import org.jspecify.annotations.NullMarked;
