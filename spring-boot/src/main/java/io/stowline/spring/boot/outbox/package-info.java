/**
 * The relays that send the messages of outboxes, which run with the application, and their health contributor. Spring calls this room. It uses
 * the public API of the client and {@code autoconfigure}.
 */
@NullMarked
package io.stowline.spring.boot.outbox;

import org.jspecify.annotations.NullMarked;
