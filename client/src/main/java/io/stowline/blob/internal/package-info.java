/** The blob service behind the faces: the SDK's asynchronous clients over our pipeline, blocks, ranges, and the rules of names. */
@NullMarked
package io.stowline.blob.internal;

import org.jspecify.annotations.NullMarked;
