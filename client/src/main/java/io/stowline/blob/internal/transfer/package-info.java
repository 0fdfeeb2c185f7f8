/**
 * What transfers of one blob and of many share: their memory, their blobs in flight, and how their progress is counted and shown. The
 * public classes and the rooms of uploads, downloads and directories use it. It calls no other room of blobs.
 */
@NullMarked
package io.stowline.blob.internal.transfer;

import org.jspecify.annotations.NullMarked;
