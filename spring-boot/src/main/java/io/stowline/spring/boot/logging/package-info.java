/**
 * The log of an application in blobs: an appender of Logback that properties under {@code stowline.logging} describe, attached while the
 * application runs. Spring calls this room. It uses the public API of {@code stowline-logback}, which is optional, {@code account} and
 * {@code autoconfigure}.
 */
@NullMarked
package io.stowline.spring.boot.logging;

import org.jspecify.annotations.NullMarked;
