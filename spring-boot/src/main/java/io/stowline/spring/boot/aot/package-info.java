/** What an application that is processed ahead of time needs to reflect on. */
@NullMarked
package io.stowline.spring.boot.aot;

import org.jspecify.annotations.NullMarked;
