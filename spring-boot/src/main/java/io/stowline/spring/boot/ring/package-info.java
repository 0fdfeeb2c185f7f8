/** The ring over the clients of several accounts, its health contributor and its failure analyses; {@code stowline-ring} is optional. */
@NullMarked
package io.stowline.spring.boot.ring;

import org.jspecify.annotations.NullMarked;
