/**
 * Content as gzip: its compression before an upload, and its expansion after a download. The rooms of operations, uploads, downloads,
 * files and directories use it. It calls base only.
 */
@NullMarked
package io.stowline.blob.internal.gzip;

import org.jspecify.annotations.NullMarked;
