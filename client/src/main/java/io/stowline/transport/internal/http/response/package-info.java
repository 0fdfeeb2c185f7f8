/**
 * The wire side of one attempt: what is written of its request, and how the body of its response is read, into memory or into a sink. The
 * HTTP clients and the pipeline use it. It calls http only.
 */
@NullMarked
package io.stowline.transport.internal.http.response;

import org.jspecify.annotations.NullMarked;
