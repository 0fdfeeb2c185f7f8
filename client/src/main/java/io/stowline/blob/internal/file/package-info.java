/**
 * Downloads into files: the file that appears complete, the part file and its state file, and the ranges on their way to the disk. The
 * client, cache, directory and page rooms use it. It calls base, transfer, range, gzip and download.
 */
@NullMarked
package io.stowline.blob.internal.file;

import org.jspecify.annotations.NullMarked;
