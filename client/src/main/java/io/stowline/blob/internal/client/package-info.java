/**
 * The faces of containers that applications hold: containers, cached containers, blobs, their revisions, trees, downloads, writers and
 * transfers. {@code io.stowline} makes a {@link io.stowline.blob.internal.client.DefaultBlobContainer} for each call of
 * {@code Stowline.container}. It calls all other rooms of blobs.
 */
@NullMarked
package io.stowline.blob.internal.client;

import org.jspecify.annotations.NullMarked;
