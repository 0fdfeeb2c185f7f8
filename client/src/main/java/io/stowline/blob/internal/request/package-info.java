/**
 * The requests on the content of block blobs, and what their responses mean. Upload and download use it. It calls the pipeline directly, without an SDK client.
 */
@NullMarked
package io.stowline.blob.internal.request;

import org.jspecify.annotations.NullMarked;
