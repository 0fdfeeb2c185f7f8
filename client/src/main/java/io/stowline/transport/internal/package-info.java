/** The way of a request to the service and of its answer back: pipeline, policies, credentials, classification. */
@NullMarked
package io.stowline.transport.internal;

import org.jspecify.annotations.NullMarked;
