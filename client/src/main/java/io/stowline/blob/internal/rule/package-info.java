/**
 * Rules of values that applications give: names, tags, typed metadata, patterns of paths. The public API of blobs and all rooms of blobs may call this leaf. It
 * calls the rooms of errors and projections, the limits of the service and the rules of metadata.
 */
@NullMarked
package io.stowline.blob.internal.rule;

import org.jspecify.annotations.NullMarked;
