/** Tests of Spring Boot applications with Stowline: a slice over the emulator of the test kit, and the emulator for development. */
@NullMarked
package io.stowline.spring.boot.test;

import org.jspecify.annotations.NullMarked;
