/** The Actuator endpoint {@code stowline}, which shows the live state of each client, and what the endpoint {@code info} shows of them. */
@NullMarked
package io.stowline.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
