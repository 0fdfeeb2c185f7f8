/**
 * The common part of transfers of one blob and of many: their memory, their blobs in flight, and the count of their
 * progress. The rooms of uploads, downloads, files and directories use it. It calls no other room of
 * blobs.
 */
@NullMarked
package io.stowline.blob.internal.transfer;

import org.jspecify.annotations.NullMarked;
