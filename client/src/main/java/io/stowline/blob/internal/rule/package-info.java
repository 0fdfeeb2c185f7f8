/**
 * Rules of values that applications give: tags, typed metadata, patterns of paths. The public API of blobs and all rooms of blobs may call this leaf. It calls
 * the rooms of errors and projections, and the rules of metadata.
 */
@NullMarked
package io.stowline.blob.internal.rule;

import org.jspecify.annotations.NullMarked;
