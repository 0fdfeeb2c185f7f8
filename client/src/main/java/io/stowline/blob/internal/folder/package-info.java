/**
 * Folders of the local disk as ends of a transfer: their walk, their files and names, and the times that their file system keeps. The
 * directory room uses it. It calls base, upload and file.
 */
@NullMarked
package io.stowline.blob.internal.folder;

import org.jspecify.annotations.NullMarked;
