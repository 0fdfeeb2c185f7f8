/** Reflection hints for an application that is processed ahead of time. */
@NullMarked
package io.stowline.spring.boot.aot;

import org.jspecify.annotations.NullMarked;
