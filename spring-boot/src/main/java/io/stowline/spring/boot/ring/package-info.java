/**
 * The ring over the clients of several accounts, its health contributor and its failure analysis. Spring calls this room. It uses the public API
 * of the client and of {@code stowline-ring}, which is optional, and {@code account}.
 */
@NullMarked
package io.stowline.spring.boot.ring;

import org.jspecify.annotations.NullMarked;
