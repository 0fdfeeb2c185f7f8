/**
 * The requests on the content of block and page blobs, and what their responses mean. Upload, download and page use it. It calls the pipeline directly, without an SDK client.
 */
@NullMarked
package io.stowline.blob.internal.request;

import org.jspecify.annotations.NullMarked;
