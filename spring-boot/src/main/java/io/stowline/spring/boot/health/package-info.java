/** Health contributors of Spring Boot for the table, queue and blob services of each client. */
@NullMarked
package io.stowline.spring.boot.health;

import org.jspecify.annotations.NullMarked;
