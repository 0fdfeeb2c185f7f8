/**
 * Transfers of many blobs: between a folder and a container, between containers, and deletions by prefix. The client room uses it. It calls
 * the rooms of folders, files, uploads, downloads, operations and progress, and no code calls it back but the listeners of the application.
 */
@NullMarked
package io.stowline.blob.internal.directory;

import org.jspecify.annotations.NullMarked;
