/**
 * The making of shared access signatures. {@link io.stowline.access.internal.SasSigner} is the door: each holder makes a builder with it. A builder collects
 * {@link io.stowline.access.internal.SasFields}, {@link io.stowline.access.internal.StringToSign} puts them in the service's order, and the account key or a
 * {@link io.stowline.access.internal.DelegationKey} signs. Nothing but {@link io.stowline.access.internal.DelegationKeys} sends a request.
 */
@NullMarked
package io.stowline.access.internal;

import org.jspecify.annotations.NullMarked;
