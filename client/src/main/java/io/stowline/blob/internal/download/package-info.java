/**
 * Downloads in ranges of one version, into memory, files and streams. The public classes and the cache and append rooms use it. It calls
 * base and operations.
 */
@NullMarked
package io.stowline.blob.internal.download;

import org.jspecify.annotations.NullMarked;
