/** Blobs: containers, uploads and downloads of any size, properties, listings and append blobs. */
@NullMarked
package io.stowline.blob;

import org.jspecify.annotations.NullMarked;
