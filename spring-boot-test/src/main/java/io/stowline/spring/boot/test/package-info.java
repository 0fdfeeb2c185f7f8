/** Tests of Spring Boot applications with Stowline: a slice over the emulator of the test kit or over accounts in memory, and both for development. */
@NullMarked
package io.stowline.spring.boot.test;

import org.jspecify.annotations.NullMarked;
