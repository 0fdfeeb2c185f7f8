/**
 * Reflection hints for an application that is processed ahead of time. Spring calls this room, at the build of the application only. It uses
 * the public API of the client.
 */
@NullMarked
package io.stowline.spring.boot.aot;

import org.jspecify.annotations.NullMarked;
