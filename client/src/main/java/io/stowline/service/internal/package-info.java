/**
 * The properties of services: {@link io.stowline.service.internal.ServicePropertyOperations} reads them all, and sets one by a
 * {@link io.stowline.service.internal.PropertyChange}. The entry {@code io.stowline} makes the faces, and no other room calls this one. It calls
 * the transport.
 */
@NullMarked
package io.stowline.service.internal;

import org.jspecify.annotations.NullMarked;
