/**
 * The auto-configuration of Stowline for Spring Boot: properties under {@code stowline}, connection details, the clients, and typed beans
 * for tables, queues and containers.
 *
 * <p>An application declares its resources by a {@link io.stowline.spring.boot.autoconfigure.StowlineBeans}, and has them injected:
 *
 * <pre>{@code
 * class Storage extends StowlineBeans {
 *     @Override
 *     protected void declare() {
 *         table("registrations", Runner.class);
 *         account("archive").container("photos");
 *     }
 * }
 * }</pre>
 *
 * <p>A {@link io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer} changes clients before they are built. All other rooms may use this one,
 * but for {@code account} and {@code repository}, which it uses.
 */
@NullMarked
package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
